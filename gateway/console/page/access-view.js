import { read } from './api.js'
import { attempts } from './attempts.js'
import { announce, element } from './element.js'
import { when } from './format.js'
import { scopeBoxes, scopesInWords } from './key-scopes.js'
import { say } from './say.js'

const labelMax = 100

/** API keys: for programs, which cannot sign in. A key is shown once, when it is made. */
export async function accessView(signal) {
  const list = element('ul', { class: 'rows' })
  const { trouble, attempt } = attempts(signal)
  const made = element('div', {})
  const refresh = async () => {
    const { keys } = await read('/v1/keys', { signal })
    list.replaceChildren(
      ...(keys.length === 0 ? [element('li', { class: 'quiet' }, say('access.none'))] : keys.map(row)),
    )
  }
  const row = (key) => {
    const revoke = async () => {
      if (!confirm(say('access.sure', { key: key.label || key.id }))) return
      await attempt(async () => {
        await read(`/v1/keys/${key.id}`, { method: 'DELETE' })
        announce(say('access.revoked'))
        made.replaceChildren()
        await refresh()
      })
    }
    const replace = async () => {
      if (confirm(say('access.sureReplace', { key: key.label || key.id }))) await make(`/v1/keys/${key.id}/rotate`)
    }
    return keyRow(key, { revoke, replace })
  }
  const make = (path, json) =>
    attempt(async () => {
      const { key } = await read(path, { method: 'POST', ...(json && { json }) })
      made.replaceChildren(newKey(key))
      announce(say('access.made'))
      await refresh()
    })
  await refresh()
  return element(
    'div',
    { class: 'access' },
    element('h1', {}, say('frame.keys')),
    element('p', { class: 'quiet' }, say('access.about')),
    keyForm((wanted) => make('/v1/keys', wanted)),
    made,
    trouble,
    element('section', { class: 'card', 'aria-label': say('access.yours') }, list),
  )
}

function keyRow(key, { revoke, replace }) {
  const button = (words, act) => element('button', { type: 'button', class: 'plain', onclick: act }, say(words))
  const facts = [say('access.scopes', { scopes: scopesInWords(key.scopes) }), ...lifeOf(key)]
  return element(
    'li',
    { class: 'row key' },
    element('strong', {}, key.label || say('access.unlabelled')),
    element('code', {}, `vaak_${key.id}_…`),
    element('span', { class: 'quiet' }, facts.join(' ')),
    element(
      'span',
      { class: 'buttons' },
      // what another has replaced is left to end by itself
      key.replaced_by === undefined && button('access.replace', replace),
      button('access.revoke', revoke),
    ),
  )
}

function keyForm(make) {
  const label = element('input', {
    id: 'key-label',
    type: 'text',
    maxlength: labelMax,
    placeholder: say('access.someLabel'),
    autocomplete: 'off',
  })
  const days = element(
    'select',
    { id: 'key-days' },
    ...[
      ['', say('access.usual')],
      ['7', say('life.days', { count: 7 })],
      ['30', say('life.days', { count: 30 })],
      ['365', say('life.year')],
    ].map(([value, text]) => element('option', { value }, text)),
  )
  const scopes = scopeBoxes()
  const submit = async (event) => {
    event.preventDefault()
    const life = days.value === '' ? {} : { days: Number(days.value) }
    await make({ label: label.value.trim(), scopes: scopes.chosen(), ...life })
    label.value = ''
  }
  return element(
    'form',
    { class: 'card key-form', onsubmit: submit },
    element('label', { for: 'key-label' }, say('access.label')),
    label,
    element('label', { for: 'key-days' }, say('life.label')),
    days,
    scopes.fields,
    element('button', { type: 'submit', class: 'strong' }, say('access.make')),
  )
}

function newKey(key) {
  const text = element('code', { class: 'new-key', tabindex: '0' }, key)
  const copy = element('button', { type: 'button' }, say('copy.copy'))
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(key)
    announce(say('copy.copied'))
    copy.textContent = say('copy.copied')
  })
  return element(
    'section',
    { class: 'card', 'aria-label': say('access.new') },
    element('p', {}, say('copy.now')),
    element('div', { class: 'field' }, text, copy),
    element(
      'pre',
      {},
      element(
        'code',
        {},
        `curl -H "Authorization: Bearer $VAAK_TOKEN" ${location.origin}/files   # with VAAK_TOKEN=<key>`,
      ),
    ),
  )
}

function lifeOf({ created_at: createdAt, expires_at: expiresAt, last_used_at: usedAt, replaced_by: replacedBy }) {
  const since = when(new Date(createdAt))
  return [
    expiresAt === undefined
      ? say('access.since', { since })
      : say('access.sinceUntil', { since, until: when(new Date(expiresAt)) }),
    ...(replacedBy === undefined ? [] : [say('access.replaced')]),
    usedAt === undefined ? say('access.unused') : say('access.used', { when: when(new Date(usedAt)) }),
  ]
}

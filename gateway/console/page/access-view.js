import { read } from './api.js'
import { announce, element, notice } from './element.js'
import { when } from './format.js'

const labelMax = 100

/** API keys: for programs, which cannot sign in. A key is shown once, when it is made. */
export async function accessView(signal) {
  const list = element('ul', { class: 'rows' })
  const trouble = element('div', {})
  const made = element('div', {})
  const attempt = async (act) => {
    trouble.replaceChildren()
    try {
      await act()
    } catch (error) {
      if (!signal.aborted) trouble.replaceChildren(notice(error.message))
    }
  }
  const refresh = async () => {
    const { keys } = await read('/v1/keys', { signal })
    list.replaceChildren(
      ...(keys.length === 0 ? [element('li', { class: 'quiet' }, 'You have no API keys.')] : keys.map(row)),
    )
  }
  const row = (key) => {
    const revoke = async () => {
      if (!confirm(`Revoke the key ${key.label || key.id}? Programs that use it stop working at once.`)) return
      await attempt(async () => {
        await read(`/v1/keys/${key.id}`, { method: 'DELETE' })
        announce('The key is revoked.')
        made.replaceChildren()
        await refresh()
      })
    }
    return element(
      'li',
      { class: 'row key' },
      element('strong', {}, key.label || 'Without a label'),
      element('code', {}, `vaak_${key.id}_…`),
      element('span', { class: 'quiet' }, `For ${key.scopes.join(', ')}. ${lifeOf(key)}`),
      element('button', { type: 'button', class: 'plain', onclick: revoke }, 'Revoke'),
    )
  }
  const make = (wanted) =>
    attempt(async () => {
      const { key } = await read('/v1/keys', { method: 'POST', json: wanted })
      made.replaceChildren(newKey(key))
      announce('The key is made. It is shown once.')
      await refresh()
    })
  await attempt(refresh)
  return element(
    'div',
    { class: 'access' },
    element('h1', {}, 'API keys'),
    element(
      'p',
      { class: 'quiet' },
      'A key lets a program act for you, here and in realtime sessions. Your own token ends by itself; a key holds until it expires or you revoke it, for what its scopes say.',
    ),
    keyForm(make),
    made,
    trouble,
    element('section', { class: 'card', 'aria-label': 'Your API keys' }, list),
  )
}

function keyForm(make) {
  const label = element('input', {
    id: 'key-label',
    type: 'text',
    maxlength: labelMax,
    placeholder: 'My app',
    autocomplete: 'off',
  })
  const days = element(
    'select',
    { id: 'key-days' },
    ...[
      ['', 'as long as usual'],
      ['7', 'for a week'],
      ['30', 'for 30 days'],
      ['365', 'for a year'],
    ].map(([value, text]) => element('option', { value }, text)),
  )
  const submit = async (event) => {
    event.preventDefault()
    await make({ label: label.value.trim(), ...(days.value !== '' && { days: Number(days.value) }) })
    label.value = ''
  }
  return element(
    'form',
    { class: 'card key-form', onsubmit: submit },
    element('label', { for: 'key-label' }, 'What it is for'),
    label,
    element('label', { for: 'key-days' }, 'How long it works'),
    days,
    element('button', { type: 'submit', class: 'strong' }, 'Make a key'),
  )
}

function newKey(key) {
  const text = element('code', { class: 'new-key', tabindex: '0' }, key)
  const copy = element('button', { type: 'button' }, 'Copy')
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(key)
    announce('Copied.')
    copy.textContent = 'Copied'
  })
  return element(
    'section',
    { class: 'card', 'aria-label': 'The new key' },
    element('p', {}, 'Copy it now: only a hash of it is kept, and it is not shown again.'),
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

function lifeOf({ created_at: createdAt, expires_at: expiresAt, last_used_at: usedAt }) {
  const since = `Since ${when(new Date(createdAt))}`
  const life = expiresAt === undefined ? since : `${since}, until ${when(new Date(expiresAt))}`
  return usedAt === undefined ? `${life}; not used yet` : `${life}; last used ${when(new Date(usedAt))}`
}

import { read } from './api.js'
import { attempts } from './attempts.js'
import { announce, element } from './element.js'
import { when } from './format.js'
import { say } from './say.js'
import { entriesIn, linesOf } from './vocabulary-lines.js'

const nameMax = 200

/** Names and terms of a user, which are listened for and spelt as they say. */
export async function wordsView(signal) {
  const list = element('div', { class: 'vocabularies' })
  const { trouble, attempt } = attempts(signal)
  const refresh = async () => {
    const { vocabularies } = await read('/vocabularies', { signal })
    const whole = await Promise.all(
      vocabularies.map(({ vocabulary_id: id }) => read(`/vocabularies/${id}`, { signal })),
    )
    list.replaceChildren(
      ...(whole.length === 0 ? [element('p', { class: 'quiet' }, say('words.none'))] : whole.map(card)),
    )
  }
  const card = (vocabulary) =>
    vocabularyCard(vocabulary, {
      save: (entries) =>
        attempt(async () => {
          const json = { version: vocabulary.version, entries }
          await read(`/vocabularies/${vocabulary.vocabulary_id}`, { method: 'PATCH', json })
          announce(say('words.saved'))
          await refresh()
        }),
      remove: () =>
        attempt(async () => {
          if (!confirm(say('words.sure', { name: vocabulary.name }))) return
          await read(`/vocabularies/${vocabulary.vocabulary_id}`, { method: 'DELETE' })
          announce(say('words.deleted'))
          await refresh()
        }),
    })
  const make = (name) =>
    attempt(async () => {
      await read('/vocabularies', { method: 'POST', json: { name, entries: [] } })
      await refresh()
      list.querySelector('.vocabulary:last-child textarea')?.focus()
    })
  await refresh()
  return element(
    'div',
    { class: 'access' },
    element('h1', {}, say('frame.words')),
    element('p', { class: 'quiet' }, say('words.about')),
    list,
    trouble,
    vocabularyForm(make),
  )
}

function vocabularyCard({ vocabulary_id: id, name, entries, version, updated_at: at }, { save, remove }) {
  const field = element('textarea', {
    id: `words-${id}`,
    rows: Math.min(20, Math.max(4, entries.length + 1)),
    placeholder: say('words.some'),
    spellcheck: 'false',
  })
  field.value = linesOf(entries)
  return element(
    'section',
    { class: 'card vocabulary', 'aria-label': name },
    element('label', { for: field.id, class: 'name' }, name),
    element(
      'span',
      { class: 'quiet' },
      say('words.standing', { count: entries.length, version: String(version), when: when(new Date(at)) }),
    ),
    field,
    element(
      'span',
      { class: 'buttons' },
      element(
        'button',
        { type: 'button', class: 'strong', onclick: () => save(entriesIn(field.value)) },
        say('words.save'),
      ),
      element('button', { type: 'button', class: 'plain', onclick: remove }, say('words.delete')),
    ),
  )
}

function vocabularyForm(make) {
  const name = element('input', { id: 'vocabulary-name', type: 'text', maxlength: nameMax, required: true })
  const submit = async (event) => {
    event.preventDefault()
    await make(name.value.trim())
    name.value = ''
  }
  return element(
    'form',
    { class: 'card key-form', onsubmit: submit },
    element('label', { for: 'vocabulary-name' }, say('words.name')),
    name,
    element('button', { type: 'submit' }, say('words.make')),
  )
}

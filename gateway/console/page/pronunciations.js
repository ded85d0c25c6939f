import { read } from './api.js'
import { announce, element, notice } from './element.js'
import { say } from './say.js'

const path = '/pronunciations'

/** Words that are spoken otherwise than they are written: one in a line, with what is read in its place. */
export async function pronunciationsForm(signal) {
  const { pronunciations } = await read(path, { signal })
  const lines = pronunciations.map(({ word, spoken }) => `${word} = ${spoken}`).join('\n')
  const text = element('textarea', { id: 'pronunciations', rows: 4, 'aria-describedby': 'pronunciations-how' }, lines)
  const trouble = element('div', {})
  const button = element('button', { type: 'submit' }, say('pronounce.save'))
  const save = async () => {
    trouble.replaceChildren()
    button.disabled = true
    try {
      await read(path, { method: 'PUT', json: { pronunciations: entriesIn(text.value) }, signal })
      announce(say('pronounce.saved'))
      trouble.replaceChildren(element('p', { class: 'quiet' }, say('pronounce.saved')))
    } catch (error) {
      if (!signal.aborted) trouble.replaceChildren(notice(error.message))
    }
    button.disabled = false
  }
  const submit = (event) => {
    event.preventDefault()
    void save()
  }
  return element(
    'form',
    { class: 'card', onsubmit: submit },
    element('label', { for: 'pronunciations' }, say('pronounce.title')),
    element('p', { id: 'pronunciations-how', class: 'quiet' }, say('pronounce.how')),
    text,
    element('div', { class: 'field' }, button),
    trouble,
  )
}

/** What is wrong with a word is for the server to say; here only lines are told apart. */
function entriesIn(text) {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const [word, ...rest] = line.split('=')
    const spoken = rest.join('=').trim()
    if (spoken === '') throw new Error(say('pronounce.line', { line: at + 1 }))
    return [{ word: word.trim(), spoken }]
  })
}

import { element } from './element.js'
import { say } from './say.js'

/** Where somebody says what is looked for in all recordings. What is found has an address of its own. */
export function findBox(query = '') {
  const input = element('input', {
    type: 'search',
    name: 'q',
    value: query,
    maxlength: 200,
    placeholder: say('find.hint'),
    'aria-label': say('find.label'),
    autocomplete: 'off',
  })
  const go = (event) => {
    event.preventDefault()
    const wanted = input.value.trim()
    if (wanted !== '') location.hash = `#/search/${encodeURIComponent(wanted)}`
  }
  return element(
    'form',
    { class: 'find', role: 'search', onsubmit: go },
    input,
    element('button', { type: 'submit' }, say('find.find')),
  )
}

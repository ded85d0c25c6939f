import { element } from './element.js'

/** Where somebody says what is looked for in all recordings. What is found has an address of its own. */
export function findBox(query = '') {
  const input = element('input', {
    type: 'search',
    name: 'q',
    value: query,
    maxlength: 200,
    placeholder: 'Find what was said, in any script',
    'aria-label': 'Find in all recordings',
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
    element('button', { type: 'submit' }, 'Find'),
  )
}

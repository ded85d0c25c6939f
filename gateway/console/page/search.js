import { element } from './element.js'
import { say } from './say.js'
import { occurrences } from './word-index.js'

/** Finds text in a transcript: marks every place, and goes from one to the next with Enter. */
export function searchBox(wordsOf, { onGo }) {
  const input = element('input', {
    id: 'search',
    type: 'search',
    placeholder: say('search.hint'),
    'aria-label': say('search.label'),
    autocomplete: 'off',
  })
  const tally = element('output', { class: 'quiet number', for: 'search' })
  let found = []
  let at = -1
  let marked = []
  const mark = () => {
    const words = wordsOf()
    for (const word of marked) for (const name of ['found', 'found-now']) word.mark(name, false)
    marked = found.flatMap(({ first, last }) => words.slice(first, last + 1))
    for (const word of marked) word.mark('found', true)
    const now = found[at]
    if (now) for (const word of words.slice(now.first, now.last + 1)) word.mark('found-now', true)
    tally.textContent = input.value.trim() === '' ? '' : tallyOf(found.length, at + 1)
  }
  const go = (step) => {
    if (found.length === 0) return
    at = (at + step + found.length) % found.length
    mark()
    onGo(wordsOf()[found[at].first])
  }
  const look = () => {
    found = occurrences(wordsOf(), input.value)
    at = -1
    if (found.length > 0) go(1)
    else mark()
  }
  input.addEventListener('input', look)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
    if (event.key === 'Escape') {
      input.value = ''
      look()
    }
  })
  return {
    node: element('div', { class: 'search', role: 'search' }, input, tally),
    focus: () => input.focus(),
    /** For words that were written anew. */
    refresh: () => {
      if (input.value !== '') look()
    },
  }
}

function tallyOf(all, number) {
  return all === 0 ? say('search.nowhere') : say('search.place', { number, all })
}

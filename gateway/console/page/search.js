import { element } from './element.js'
import { say } from './say.js'
import { occurrences, wordsWithin } from './word-index.js'

const waitMs = 250

/**
 * Finds text in a transcript: marks every place, and goes from one to the next with Enter.
 * @param {{ onGo: Function, soundsLike?: (text: string) => Promise<{ start: number, end: number }[]> }} options
 * `soundsLike` finds what is written in other letters, or otherwise; asked where nothing is as it was typed.
 */
export function searchBox(wordsOf, { onGo, soundsLike }) {
  const input = emptyInput()
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
  const show = (places) => {
    found = places
    at = -1
    if (found.length > 0) go(1)
    else mark()
  }
  let waiting
  const look = () => {
    clearTimeout(waiting)
    const text = input.value
    show(occurrences(wordsOf(), text))
    if (found.length > 0 || text.trim() === '' || !soundsLike) return
    waiting = setTimeout(async () => {
      const places = await soundsLike(text).catch(() => [])
      if (input.value === text && places.length > 0) show(wordsWithin(wordsOf(), places))
    }, waitMs)
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

function emptyInput() {
  return element('input', {
    id: 'search',
    type: 'search',
    placeholder: say('search.hint'),
    'aria-label': say('search.label'),
    autocomplete: 'off',
  })
}

function tallyOf(all, number) {
  return all === 0 ? say('search.nowhere') : say('search.place', { number, all })
}

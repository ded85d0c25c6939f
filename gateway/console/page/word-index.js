/** Where in a recording each word is, and which words a text is in. No part of the page is touched here. */

/** Where a word ends the next one may begin. */
const leastWordSeconds = 0.001

/** The word that is being said, the last that was, or -1 before the first. Words are in the order of their times. */
export function wordAt(words, seconds) {
  return lastWhere(words.length, (at) => words[at].start <= seconds)
}

/** Which of these a moment is in, or -1. They are in the order of their times. */
export function spanAt(spans, seconds) {
  const at = wordAt(spans, seconds)
  return at >= 0 && seconds <= spans[at].end ? at : -1
}

/** One spelling of what may be written in several ways. */
export function plain(text) {
  return text.normalize('NFC').toLocaleLowerCase()
}

/** Each place where a text is found, as the first and the last word of it. */
export function occurrences(words, text) {
  const wanted = plain(text).trim().replaceAll(/\s+/g, ' ')
  if (wanted === '') return []
  const starts = []
  let all = ''
  for (const { word } of words) {
    starts.push(all.length)
    all += `${plain(word)} `
  }
  const wordOf = (place) => lastWhere(starts.length, (at) => starts[at] <= place)
  const found = []
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + wanted.length))
    found.push({ first: wordOf(at), last: wordOf(at + wanted.length - 1) })
  return found
}

/** Spans of time, in whichever order, as the first and the last word that begin in them. */
export function wordsWithin(words, spans) {
  return spans
    .map(({ start, end }) => ({ first: wordAt(words, start), last: wordAt(words, end - leastWordSeconds) }))
    .filter(({ first, last }) => first >= 0 && last >= first)
    .sort((one, other) => one.first - other.first)
}

/** The last place at which something holds that holds up to there and not behind; -1 when nowhere. */
function lastWhere(length, holds) {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low - 1
}

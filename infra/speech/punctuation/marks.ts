import { isAbbreviation } from '../tts/abbreviations.ts'

/** Marks around words, as recognisers and readers write them. */

const sentenceEnd = /[.?!।॥…]["'”’)]*$/u
const before = /^["'“‘([]+/u
const after = /(?<![.,?!;:।॥…"'”’)\]])[.,?!;:।॥…"'”’)\]]+$/u

export function endsSentence(text: string): boolean {
  return sentenceEnd.test(text) && !isDotted(text.replace(before, ''))
}

/** What a word says about itself when its recogniser wrote marks. */
export interface Marked {
  /** Without marks around it; a word of nothing but marks stays as it is. */
  readonly bare: string
  readonly mark: '' | ',' | '.' | '?' | '!'
}

export function marksIn(text: string): Marked {
  const inside = text.replace(before, '')
  const bare = inside.replace(after, '')
  if (bare === '') return { bare: text, mark: '' }
  if (isDotted(inside)) return { bare: inside, mark: '' }
  return { bare, mark: markOf(inside.slice(bare.length)) }
}

function markOf(trail: string): Marked['mark'] {
  if (trail.includes('?')) return '?'
  if (trail.includes('!')) return '!'
  if (/[.।॥…]/u.test(trail)) return '.'
  return /[,;:]/u.test(trail) ? ',' : ''
}

/** With a full stop that is a part of it: "Mr.". "No." is an answer far more often than a number. */
function isDotted(text: string): boolean {
  const word = text.slice(0, -1)
  return text.endsWith('.') && isAbbreviation(word) && word.toLowerCase() !== 'no'
}

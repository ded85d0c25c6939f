/** The writing system of a word, by most of its letters. `none` is a word without letters: a number, a sign. */
export type WritingSystem =
  | 'devanagari'
  | 'latin'
  | 'arabic'
  | 'bengali'
  | 'gurmukhi'
  | 'gujarati'
  | 'oriya'
  | 'tamil'
  | 'telugu'
  | 'kannada'
  | 'malayalam'
  | 'other'
  | 'none'

const patterns: readonly (readonly [Exclude<WritingSystem, 'other' | 'none'>, RegExp])[] = [
  ['devanagari', /\p{Script=Devanagari}/u],
  ['latin', /\p{Script=Latin}/u],
  ['arabic', /\p{Script=Arabic}/u],
  ['bengali', /\p{Script=Bengali}/u],
  ['gurmukhi', /\p{Script=Gurmukhi}/u],
  ['gujarati', /\p{Script=Gujarati}/u],
  ['oriya', /\p{Script=Oriya}/u],
  ['tamil', /\p{Script=Tamil}/u],
  ['telugu', /\p{Script=Telugu}/u],
  ['kannada', /\p{Script=Kannada}/u],
  ['malayalam', /\p{Script=Malayalam}/u],
]
const letter = /[\p{L}\p{M}]/u

export function writingSystemOf(word: string): WritingSystem {
  const counts = new Map<WritingSystem, number>()
  for (const character of word) {
    if (!letter.test(character)) continue
    const script = patterns.find(([, pattern]) => pattern.test(character))?.[0] ?? 'other'
    counts.set(script, (counts.get(script) ?? 0) + 1)
  }
  let most: WritingSystem = 'none'
  for (const [script, count] of counts) if (count > (counts.get(most) ?? 0)) most = script
  return most
}

/** A word without what surrounds it: quotes, commas, the danda. The parts joined again give the word. */
export function peel(word: string): { before: string; core: string; after: string } {
  const before = /^[^\p{L}\p{M}\p{N}]*/u.exec(word)?.[0] ?? ''
  const rest = word.slice(before.length)
  // only from where they begin: a word of many marks would be tried from each of them
  const after = /(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]*$/u.exec(rest)?.[0] ?? ''
  return { before, core: rest.slice(0, rest.length - after.length), after }
}

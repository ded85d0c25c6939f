import type { Syllable, Vowel } from './devanagari-sounds.ts'
import { pairs } from './pairs.ts'

/**
 * People double a long vowel where the word would be mistaken without: kaam is not kam, but kahani needs nobody's help. So
 * mostly in last syllables, aa only in short words without clusters (raat, but pyar), hardly ever at the end.
 */
export function typedVowel(sounds: readonly Syllable[], at: number): string {
  return glide(sounds, at) + spell(sounds[at]!.vowel, !isDoubled(sounds, at))
}

/** The same with every long vowel inside a word doubled. */
export function fullVowel(sounds: readonly Syllable[], at: number): string {
  const { vowel, nasal } = sounds[at]!
  const isShort = at === sounds.length - 1 && !nasal && sounds.length > 1
  return glide(sounds, at) + spell(vowel, isShort)
}

const doubled = new Map(pairs('aa=aa ii=ee uu=oo'))
const short = new Map(pairs('aa=a ii=i uu=u'))
const other = new Map(pairs('ə=a i=i u=u ri=ri e=e ai=ai o=o au=au ɔ=o æ=e'))

function spell(vowel: Vowel, isShort: boolean): string {
  return (isShort ? short.get(vowel) : undefined) ?? doubled.get(vowel) ?? other.get(vowel) ?? ''
}

function isDoubled(sounds: readonly Syllable[], at: number): boolean {
  const { onset, vowel } = sounds[at]!
  const spoken = sounds.filter((sound) => sound.vowel !== '').length
  const isFirst = sounds.findIndex((sound) => sound.vowel !== '') === at
  const isLast = sounds.findLastIndex((sound) => sound.vowel !== '') === at
  const isClosed = isLast && at < sounds.length - 1
  const isPlain = onset.length === 1 && sounds[at + 1]?.onset.length === 1
  if (vowel === 'aa') return (isFirst && onset.length === 0) || (isClosed && isPlain && spoken === 1)
  if (vowel === 'uu') return isClosed
  return isClosed || (isFirst && spoken === 2 && onset.length > 0 && sounds[at + 1]?.onset[0] !== 'य')
}

/** What is typed between two vowels: gayi, aayi, jayega, but bhai, hue and mumbai. */
function glide(sounds: readonly Syllable[], at: number): string {
  const before = sounds[at - 1]
  const { onset, vowel } = sounds[at]!
  if (!before || onset.length > 0) return ''
  if (vowel === 'e') return before.vowel === 'u' || before.vowel === 'e' ? '' : 'y'
  return vowel === 'ii' && at === 1 && (before.vowel === 'ə' || before.onset.length === 0) ? 'y' : ''
}

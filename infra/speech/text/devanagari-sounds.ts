import { pairs } from './pairs.ts'

/**
 * A Hindi word as it is spoken. Devanagari writes a short a (the schwa) after every consonant that has no other sign, and
 * Hindi leaves out about half of them: लड़का is read ladkā, not laḍakā. Which ones follows from the sounds around
 * (Ohala's rule: between single consonants that have vowels on both sides, decided from the end of the word backwards).
 */
export interface Syllable {
  /** Consonant letters with their dots, as written; empty before an independent vowel. */
  readonly onset: readonly string[]
  readonly vowel: Vowel
  readonly nasal: boolean
}

const vowels = ['ə', 'aa', 'i', 'ii', 'u', 'uu', 'ri', 'e', 'ai', 'o', 'au', 'ɔ', 'æ', ''] as const
export type Vowel = (typeof vowels)[number]

/** The sounds of a word with the silent schwas gone, or undefined when it holds letters that are not Devanagari. */
export function soundsOf(word: string): readonly Syllable[] | undefined {
  const written = syllablesOf(word)
  return written && withoutSilentSchwas(written)
}

const dot = '\u093c'
const halant = '\u094d'
const nasals = new Set(['\u0901', '\u0902'])
const ignored = new Set(['\u0903', '\u200c', '\u200d', '\u093d'])
const independent = new Map(
  pairs('अ=ə आ=aa इ=i ई=ii उ=u ऊ=uu ऋ=ri ॠ=ri ए=e ऐ=ai ओ=o औ=au ऑ=ɔ ऍ=æ ऎ=e ऒ=o').map(asVowel),
)
const signs = new Map(pairs('ा=aa ि=i ी=ii ु=u ू=uu ृ=ri ॄ=ri े=e ै=ai ो=o ौ=au ॉ=ɔ ॅ=æ').map(asVowel))

function asVowel([letter, name]: [string, string]): [string, Vowel] {
  const vowel = vowels.find((candidate) => candidate === name)
  if (vowel === undefined) throw new Error(`${name} is no vowel`)
  return [letter, vowel]
}

function syllablesOf(word: string): Syllable[] | undefined {
  const letters = Array.from(word.normalize('NFC'))
  const syllables: Syllable[] = []
  let onset: string[] = []
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at]!
    const next = letters[at + 1] ?? ''
    const own = independent.get(letter)
    if (own !== undefined) syllables.push({ onset: [], vowel: own, nasal: false })
    else if (isConsonant(letter)) {
      const dotted = next === dot
      onset.push(dotted ? letter + dot : letter)
      if (dotted) at += 1
      const after = letters[at + 1] ?? ''
      if (after === halant) at += 1
      const sign = signs.get(after)
      if (sign !== undefined) at += 1
      const spoken: Vowel = after === halant ? '' : (sign ?? 'ə')
      if (spoken === '' && isConsonant(letters[at + 1] ?? '')) continue // the cluster goes on
      syllables.push({ onset, vowel: spoken, nasal: false })
      onset = []
    } else if (nasals.has(letter)) {
      const last = syllables.pop()
      if (last) syllables.push({ ...last, nasal: true })
    } else if (!ignored.has(letter)) return undefined
  }
  return syllables
}

function isConsonant(letter: string): boolean {
  return (letter >= 'क' && letter <= 'ह') || (letter >= '\u0958' && letter <= '\u095f')
}

function withoutSilentSchwas(written: readonly Syllable[]): readonly Syllable[] {
  const spoken = [...written]
  for (let at = spoken.length - 1; at > 0; at -= 1) {
    if (isSilent(spoken, at)) spoken[at] = { ...spoken[at]!, vowel: '' }
  }
  return spoken
}

/** Clusters that cannot end a syllable keep their schwa: मित्र is mitra. So does य after an i: प्रिय is priya. */
const needsVowel = new Set(['य', 'र', 'व'])

function isSilent(syllables: readonly Syllable[], at: number): boolean {
  const { onset, vowel, nasal } = syllables[at]!
  if (vowel !== 'ə' || nasal || onset.length === 0) return false
  const before = syllables[at - 1]!
  const after = syllables[at + 1]
  if (!after) {
    const last = onset.at(-1)!
    if (onset.length > 1 || before.nasal) return !(needsVowel.has(last) && onset.length > 1)
    return !(last === 'य' && (before.vowel === 'i' || before.vowel === 'ii'))
  }
  if (isBeforeRan(syllables, at)) return false
  return onset.length === 1 && after.onset.length === 1 && after.vowel !== '' && before.vowel !== ''
}

/** Sanskrit's nouns in -करण, -वरण, -हरण keep theirs whatever comes before: panjikaran, udaharan. */
function isBeforeRan(syllables: readonly Syllable[], at: number): boolean {
  return at + 3 === syllables.length && syllables[at + 1]!.onset.join('') === 'र' && syllables[at + 2]!.onset[0] === 'ण'
}

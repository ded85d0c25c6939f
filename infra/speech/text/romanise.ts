import { loanwordInLatin } from './loanwords.ts'
import { soundsOf } from './devanagari-sounds.ts'
import type { Syllable, Vowel } from './devanagari-sounds.ts'
import { withDots } from './dotted.ts'
import { pairs } from './pairs.ts'
import { fullVowel, typedVowel } from './typed-vowels.ts'

/**
 * Devanagari into the Latin letters that people type, not into a scholar's: no marks, long vowels doubled only where it
 * helps (kahani, ladki, but kaam), English words in their own spelling.
 */
export function romanise(word: string): string {
  return known(word) ?? spell(word, typedVowel)
}

/** The spelling of those who leave nothing out: kahaani, paani. It tells more words apart, so they are looked up by it. */
export function romaniseInFull(word: string): string {
  return known(word) ?? spell(word, fullVowel)
}

function known(word: string): string | undefined {
  return everyday.get(word.normalize('NFC')) ?? loanwordInLatin(word)
}

/** Words so common that a habit of spelling has beaten the rule, and the few that are no loanwords though they look it. */
const everyday = new Map(
  pairs(`
    में=mein मैंने=maine हूँ=hoon हूं=hoon वह=woh वो=wo यह=yeh हम=hum हमने=humne हमें=humein हमको=humko तुम्हें=tumhein
    उन्हें=unhein इन्हें=inhein जिन्हें=jinhein किन्हें=kinhein माँ=maa मां=maa हाँ=haan हां=haan वहाँ=wahan वहां=wahan वही=wahi
    वहीं=wahin कई=kai भाई=bhai भई=bhai न=na व=va छः=chhah छह=chhah गाँव=gaon गांव=gaon पाँव=paon
    पांव=paon सिंह=singh बस=bas दीदी=didi
    वाला=wala वाले=wale वाली=wali वालों=walon वापस=wapas वापसी=wapsi वादा=wada वाह=wah वाकई=waqai बीवी=biwi ईद=eid चाय=chai
    ज़िंदगी=zindagi जिंदगी=zindagi ज़िन्दगी=zindagi जिन्दगी=zindagi वक़्त=waqt वक्त=waqt
  `),
)

const consonants = new Map(
  pairs(`
    क=k ख=kh ग=g घ=gh ङ=n च=ch छ=chh ज=j झ=jh ञ=n ट=t ठ=th ड=d ढ=dh ण=n त=t थ=th द=d ध=dh न=n प=p फ=ph
    ब=b भ=bh म=m य=y र=r ल=l ळ=l व=v श=sh ष=sh स=s ह=h ज़=z झ़=zh फ़=f
  `),
)
const labials = new Set(['प', 'ब', 'भ', 'म'])

type SpellVowel = (sounds: readonly Syllable[], at: number) => string

/** Each vowel is weighed against all others: 49,000 letters without a space took a minute. No word has as many as this. */
const lettersMax = 200

function spell(word: string, spellVowel: SpellVowel): string {
  if (word.length > lettersMax) return word
  const sounds = soundsOf(withDots(word.normalize('NFC')))
  return sounds ? sounds.map((_, at) => spellSyllable(sounds, at, spellVowel)).join('') : word
}

function spellSyllable(sounds: readonly Syllable[], at: number, spellVowel: SpellVowel): string {
  const { nasal } = sounds[at]!
  const spelt = spellOnset(sounds, at) + (isBeforeH(sounds, at) ? 'e' : spellVowel(sounds, at))
  if (!nasal) return spelt
  return spelt + (labials.has(sounds[at + 1]?.onset[0] ?? '') ? 'm' : 'n')
}

function spellOnset(sounds: readonly Syllable[], at: number): string {
  const { onset } = sounds[at]!
  if (onset[0] === 'ज' && onset[1] === 'ञ') return `gy${onset.slice(2).map(spellConsonant).join('')}`
  return onset
    .map((letter, index) => {
      const latin = spellConsonant(letter)
      const following = onset[index + 1]
      // the first half of a doubled sound loses its breath: अच्छा is accha
      if (following !== undefined && latin[0] === spellConsonant(following)[0] && spellConsonant(following).length > 1)
        return latin.replace(/h+$/, '')
      if (letter === 'व') return isRounded(sounds, at, index) ? 'w' : 'v'
      if (at === 0 && index === 0) return latin
      if (letter === 'फ') return 'f'
      return letter === 'छ' ? 'ch' : latin
    })
    .join('')
}

const frontVowels: ReadonlySet<Vowel> = new Set(['i', 'ii', 'e', 'ai', ''])

/**
 * व is typed w after most consonants and, inside a word, before a long a: ishwar, janwar, jawab; but tasveer, garv, mahatva.
 * Of the words that begin with वा, the learned ones are more: vakya, vatavaran.
 */
function isRounded(sounds: readonly Syllable[], at: number, index: number): boolean {
  const { onset, vowel } = sounds[at]!
  if (index < onset.length - 1) return false
  if (vowel === 'aa') return at > 0 || index > 0
  if (frontVowels.has(vowel)) return at === 0 && index > 0
  return index > 0 ? onset[index - 1] !== 'त' : sounds[at - 1]?.vowel === ''
}

/** A dot that the table does not know changes nothing that Latin letters could show. */
function spellConsonant(letter: string): string {
  return consonants.get(letter) ?? consonants.get(letter[0]!) ?? letter
}

/**
 * A schwa before a bare h is heard and typed as e: kehna, shehar. Not at the end of a long word (tarah), not before a
 * cluster (mahatva), and not in सह, which is mostly a prefix (sahyog).
 */
function isBeforeH(sounds: readonly Syllable[], at: number): boolean {
  const { vowel, onset, nasal } = sounds[at]!
  const next = sounds[at + 1]
  if (vowel !== 'ə' || nasal || onset.length === 0 || onset[0] === 'स' || next?.onset.join('') !== 'ह') return false
  if (next.vowel !== '' && next.vowel !== 'ə') return false
  const after = sounds[at + 2]
  return after ? after.onset.length === 1 : sounds.length === 2
}

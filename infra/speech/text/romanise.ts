import { loanwordInLatin } from './loanwords.ts'
import { soundsOf } from './devanagari-sounds.ts'
import type { Syllable, Vowel } from './devanagari-sounds.ts'
import { pairs } from './pairs.ts'

/**
 * Devanagari into the Latin letters that people type, not into a scholar's: no marks, long vowels doubled inside a word and
 * single at its end (kahaani, ladki), English words in their own spelling.
 */
export function romanise(word: string): string {
  const known = everyday.get(word.normalize('NFC')) ?? loanwordInLatin(word)
  if (known !== undefined) return known
  const sounds = soundsOf(word)
  return sounds ? sounds.map((sound, at) => spell(sounds, sound, at)).join('') : word
}

/** Words so common that a habit of spelling has beaten the rule. */
const everyday = new Map(
  pairs(`
    में=mein मैंने=maine ज़िंदगी=zindagi ज़िन्दगी=zindagi मैं=main है=hai हैं=hain हूँ=hoon हूं=hoon नहीं=nahin वह=woh वो=wo यह=yeh ये=ye हम=hum
    हमें=humein तुम्हें=tumhein उन्हें=unhein इन्हें=inhein जिन्हें=jinhein किन्हें=kinhein माँ=maa
    मां=maa हाँ=haan हां=haan यहाँ=yahan यहां=yahan वहाँ=wahan वहां=wahan कहाँ=kahan कहां=kahan
    जहाँ=jahan जहां=jahan लिए=liye लिये=liye गए=gaye गये=gaye किए=kiye किये=kiye दिए=diye दिये=diye
    चाहिए=chahiye चाहिये=chahiye गई=gayi गयी=gayi कई=kai भाई=bhai हुई=hui और=aur कि=ki न=na व=va
    छः=chhah छह=chhah
  `),
)

const consonants = new Map(
  pairs(`
    क=k ख=kh ग=g घ=gh ङ=n च=ch छ=chh ज=j झ=jh ञ=n ट=t ठ=th ड=d ढ=dh ण=n त=t थ=th द=d ध=dh न=n प=p फ=ph
    ब=b भ=bh म=m य=y र=r ल=l ळ=l व=v श=sh ष=sh स=s ह=h क़=q ख़=kh ग़=gh ज़=z झ़=zh ड़=d ढ़=dh फ़=f ऩ=n
    ऱ=r ऴ=l
  `),
)
const inside = new Map(pairs('ə=a aa=aa i=i ii=ee u=u uu=oo ri=ri e=e ai=ai o=o au=au ɔ=o æ=e'))
const atTheEnd = new Map(pairs('aa=a ii=i uu=u'))
const labials = new Set(['प', 'फ', 'ब', 'भ', 'म'])

function spell(sounds: readonly Syllable[], sound: Syllable, at: number): string {
  const next = sounds[at + 1]
  const last = next === undefined
  const onset = spellOnset(sound.onset, sound.vowel)
  const open = last && !sound.nasal && sounds.length > 1
  const vowel = beforeH(sounds, at)
    ? 'e'
    : ((open ? atTheEnd.get(sound.vowel) : undefined) ?? inside.get(sound.vowel) ?? '')
  if (!sound.nasal) return onset + vowel
  return onset + vowel + (labials.has(next?.onset[0] ?? '') ? 'm' : 'n')
}

function spellOnset(onset: readonly string[], vowel: Vowel): string {
  const joined = onset.join('')
  if (joined === 'ज्ञ' || (onset[0] === 'ज' && onset[1] === 'ञ'))
    return `gy${onset.slice(2).map(spellConsonant).join('')}`
  return onset
    .map((letter, index) => {
      const latin = spellConsonant(letter)
      const following = onset[index + 1]
      // the first half of a doubled sound loses its breath: अच्छा is accha
      if (following !== undefined && latin[0] === spellConsonant(following)[0] && spellConsonant(following).length > 1)
        return latin.replace(/h+$/, '')
      if (letter === 'छ' && index > 0 && onset[index - 1] === 'च') return 'ch'
      if (letter === 'व' && (index > 0 || vowel === 'aa')) return 'w'
      return latin
    })
    .join('')
}

function spellConsonant(letter: string): string {
  return consonants.get(letter) ?? letter
}

/** A schwa before a bare h is heard and typed as e: kehna, pehla, shehar. Not in the last syllable of a long word: tarah. */
function beforeH(sounds: readonly Syllable[], at: number): boolean {
  const { vowel, onset, nasal } = sounds[at]!
  const next = sounds[at + 1]
  if (vowel !== 'ə' || nasal || onset.length === 0 || next?.onset.join('') !== 'ह') return false
  if (next.vowel !== '' && next.vowel !== 'ə') return false
  return at + 2 < sounds.length || sounds.length === 2
}

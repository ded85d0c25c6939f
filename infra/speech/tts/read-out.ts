import { peel } from '../text/script.ts'
import { spokenAbbreviations } from './abbreviations.ts'
import { acronym } from './acronyms.ts'
import type { VoiceLanguage } from './languages.ts'
import { amount, dateOf, isCurrency, isMagnitude, spokenNumber, yearOf } from './quantities.ts'
import { timeOf } from './times.ts'
import { wordsFor } from './words-for-signs.ts'

/** Words as they are read aloud, one for one: numbers, amounts, dates, times, signs and abbreviations become words. */
export function readOut(words: readonly string[], language: VoiceLanguage): string[] {
  const read: string[] = []
  let owed = '' // a currency that waits for its magnitude: ₹5 crore is five crore rupees
  words.forEach((word, at) => {
    const next = words[at + 1] ?? ''
    if (owed !== '') {
      read.push(`${peel(word).core} ${owed}`)
      owed = ''
      return
    }
    const money = amount(isCurrency(words[at - 1] ?? '') ? words[at - 1]! + word : word, language)
    if (isCurrency(word) && /^\p{N}/u.test(next)) {
      read.push('')
      return
    }
    if (money && isMagnitude(peel(next).core)) {
      owed = money.currency
      read.push(money.number)
      return
    }
    read.push(money ? money.whole : readWord(word, { before: words[at - 1] ?? '', after: next }, language))
  })
  return read
}

interface Neighbours {
  readonly before: string
  readonly after: string
}

function readWord(word: string, around: Neighbours, language: VoiceLanguage): string {
  const { core } = peel(word)
  if (core === '') return signs(word, language)
  const known = spokenAbbreviations[language].get(core.toLowerCase()) ?? spokenAbbreviations.en.get(titled(core))
  if (known !== undefined && (core.length > 2 || /\.$|^[A-Zडप]/u.test(word))) return known.replaceAll('_', ' ')
  if (/\p{N}/u.test(core)) {
    const sign = /[-−]$/u.test(peel(word).before) ? `${wordsFor('minus', language)} ` : ''
    return sign + readNumber(word, around, language)
  }
  if (/^\S+@\S+\.\S+$|^https?:|^www\.|^\p{L}+\.(?:com|in|org|net|io|co)\b/u.test(core)) return address(core)
  return acronym(core, language) ?? joined(core, language)
}

/** Titles are spoken as they are everywhere; other English abbreviations may be words of another language. */
function titled(core: string): string {
  return /^(?:Dr|Mr|Mrs|Prof)$/u.test(core) ? core.toLowerCase() : ''
}

function readNumber(word: string, around: Neighbours, language: VoiceLanguage): string {
  const { core, after } = peel(word)
  const percent = after.startsWith('%') ? ` ${wordsFor('percent', language)}` : ''
  const read =
    dateOf(core, language) ??
    timeOf(core, around.after, language) ??
    (percent === '' ? yearOf(core, around.before, language) : undefined) ??
    spokenNumber(peel(word).before.endsWith('+') ? `+${core}` : core, language)
  return (read ?? joined(core, language)) + percent
}

function signs(word: string, language: VoiceLanguage): string {
  const spoken = Array.from(word, (sign) => (/[&+=@]/u.test(sign) ? wordsFor(sign, language) : ''))
  return word.length > 2 ? '' : spoken.join(' ').trim()
}

/** Parts that a sign holds together: either/or, R&D, well-known. */
function joined(core: string, language: VoiceLanguage): string {
  return core
    .replaceAll('&', ` ${wordsFor('&', language)} `)
    .replaceAll(/(?<=\p{L}\.?)[/_–—…](?=\p{L})/gu, ' ')
    .replaceAll(/(?<=[\p{L}\p{M}])\.(?=\p{L}{2})/gu, ' ')
}

function address(core: string): string {
  return core
    .replace(/^https?:\/\//u, '')
    .replaceAll('@', ' at ')
    .replaceAll('.', ' dot ')
    .replaceAll('/', ' slash ')
    .replaceAll(/[-_?=&#%+:]/gu, ' ')
}

import { plainSpelling } from '../text/numerals/hindi-numbers.ts'
import { peel } from '../text/script.ts'
import type { WordSpan } from './pan.ts'

/** Addresses, written or read out: "asha dot kumar at the rate gmail dot com". Those of payments, name@bank, are such too. */
const writtenAddress = /^[^\s@]+@[^\s@]+$/u
const endings = setOf('com in org net co gov edu io info ai कॉम इन ओआरजी नेट को')
const dots = setOf('dot डॉट डाट . point पॉइंट')
const providers = setOf(`gmail yahoo hotmail outlook rediffmail rediff icloud protonmail live
  जीमेल याहू हॉटमेल आउटलुक रेडिफमेल रेडिफ आईक्लाउड`)
const paymentHandles = setOf('okaxis oksbi okicici okhdfcbank ybl ibl axl paytm upi apl पेटीएम यूपीआई')
const ats = setOf('at एट ऐट @')
const rates = setOf('the rate द दी रेट')
const joiners = setOf('dot डॉट डाट underscore dash hyphen अंडरस्कोर डैश हाइफ़न . _ -')
/** Where the part before the sign begins at the latest: these are not in it. */
const outside =
  setOf(`is are was my your his her their our the email mail e-mail id address to on it's its that this please
  write send contact me us you name account and or so yes
  है हैं था मेरा मेरी मेरे आपका आपकी आपके उनका उनकी उसका ईमेल मेल आईडी आइडी पता पर को और का की के से लिखिए भेज भेजो भेजिए हाँ जी यह ये वो तो नाम`)
const localWordsMax = 8
const hostWordsMax = 6

export function emailsIn(words: readonly string[]): WordSpan[] {
  const plain = words.map((word) => plainSpelling(peel(word).core || word))
  const spans: WordSpan[] = []
  for (let at = 0; at < words.length; at += 1) {
    const span = writtenAddress.test(peel(words[at]!).core) ? { from: at, to: at + 1 } : spokenAt(plain, at)
    if (!span || span.from < (spans.at(-1)?.to ?? 0)) continue
    spans.push(span)
    at = span.to - 1
  }
  return spans
}

/** An address whose sign, or whose well-known host where the sign was not heard, is at this word. */
function spokenAt(words: readonly string[], at: number): WordSpan | undefined {
  if (ats.has(words[at]!)) {
    const host = skip(words, at + 1, rates)
    const to = hostEnd(words, host) ?? (paymentHandles.has(words[host] ?? '') ? host + 1 : undefined)
    return to === undefined ? undefined : withLocal(words, at, to)
  }
  const to = providers.has(words[at]!) ? hostEnd(words, at) : undefined
  return to === undefined ? undefined : withLocal(words, at, to)
}

/** A word, dot, a word, until one that ends addresses; what follows it may be one more, as in "co dot in". */
function hostEnd(words: readonly string[], from: number): number | undefined {
  let end = /\.[a-z]{2,}$/u.test(words[from] ?? '') ? from + 1 : undefined
  for (let at = from; at + 2 < words.length + 1 && at - from < hostWordsMax; at += 2) {
    if (!dots.has(words[at + 1] ?? '')) break
    if (endings.has(words[at + 2] ?? '')) end = at + 3
  }
  return end
}

function withLocal(words: readonly string[], sign: number, to: number): WordSpan | undefined {
  let from = sign
  while (from > 0 && sign - from < localWordsMax) {
    const word = words[from - 1]!
    if (outside.has(word)) break
    // three words of a name; beyond them only what is spelt or joined
    if (sign - from >= 3 && !joiners.has(words[from]!) && !joiners.has(word) && word.length > 1) break
    from -= 1
  }
  return from < sign ? { from, to } : undefined
}

function skip(words: readonly string[], from: number, passed: ReadonlySet<string>): number {
  let at = from
  while (at < words.length && passed.has(words[at]!)) at += 1
  return at
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u).map(plainSpelling))
}

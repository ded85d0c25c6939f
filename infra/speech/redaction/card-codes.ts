import { plainSpelling } from '../text/numerals/hindi-numbers.ts'
import { peel } from '../text/script.ts'
import type { DigitRow } from './digit-rows.ts'
import { digitRowsIn } from './digit-rows.ts'
import type { WordSpan } from './pan.ts'
import { plainDigits } from './spoken-digits.ts'

/** What goes with a card and opens it: the code on its back, its PIN, a password for one payment, until when it is good. */
type CodeKind = 'check' | 'pin' | 'password' | 'expiry'

const cueWords: Readonly<Record<CodeKind, string>> = {
  check: 'cvv cvv2 cvc cvc2 csc सीवीवी सीवीसी',
  pin: 'pin mpin पिन एमपिन',
  password: 'otp ओटीपी',
  expiry: 'expiry expires expire expiration exp valid validity एक्सपायरी एक्सपाइरी एक्सपायर वैलिड वैलिडिटी वैध समाप्ति',
}
const cues = new Map<string, CodeKind>(
  Object.entries(cueWords).flatMap(([kind, words]) =>
    // as: the keys of the table above
    words.split(' ').map((word) => [plainSpelling(word), kind as CodeKind] as const),
  ),
)
/** How many digits each has. A PIN of six is also where a letter goes. */
const digitsOf: Readonly<Record<CodeKind, readonly [least: number, most: number]>> = {
  check: [3, 4],
  pin: [4, 4],
  password: [4, 8],
  expiry: [3, 6],
}
const postal = new Set(['code', 'codes', 'कोड'].map(plainSpelling))
const writtenDate = /^\d{1,2}[/.-]\d{2,4}$/u
const monthName =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|^(?:जनवरी|फरवरी|फ़रवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|सितम्बर|अक्टूबर|अक्तूबर|नवंबर|नवम्बर|दिसंबर|दिसम्बर)/iu

/** Words between what names a code and its first digit, and behind its last one: "one two three is my CVV". */
const before = 6
const after = 3
/** Much besides cards expires: only so many words from one that is called a card, or was found, is it the date of one. */
const ofCard = 15
const cardWords = new Set('card cards debit credit कार्ड डेबिट क्रेडिट cvv सीवीवी'.split(' ').map(plainSpelling))

/** `cards` are numbers of cards that were found in these words. */
export function cardCodesIn(words: readonly string[], cards: readonly WordSpan[]): WordSpan[] {
  const plain = words.map((word) => plainSpelling(peel(plainDigits(word)).core))
  const rows = digitRowsIn(words)
  const isOfCard = (at: number): boolean =>
    cards.some(({ from, to }) => from - ofCard <= at && at - to <= ofCard) ||
    plain.slice(Math.max(0, at - ofCard), at + ofCard).some((word) => cardWords.has(word))
  return plain.flatMap((word, at): WordSpan[] => {
    const kind = cues.get(word)
    if (kind === undefined || (kind === 'pin' && postal.has(plain[at + 1] ?? ''))) return []
    if (kind === 'expiry') return isOfCard(at) ? dateAfter(plain, rows, at) : []
    const code = nearestCode(rows, at, digitsOf[kind])
    return code ? [{ from: code.from, to: code.to }] : []
  })
}

/** What follows the cue; where that is no code, what it came behind. */
function nearestCode(
  rows: readonly DigitRow[],
  at: number,
  [least, most]: readonly [number, number],
): DigitRow | undefined {
  const next = rows.find(({ from }) => from > at)
  const last = rows.findLast(({ to }) => to <= at)
  const isCode = (row: DigitRow | undefined): boolean =>
    row !== undefined && row.digits.length >= least && row.digits.length <= most
  if (next && next.from - at <= before && isCode(next)) return next
  return last && at - last.to <= after && isCode(last) ? last : undefined
}

/** 12/27, twelve twenty-seven, December 2027. */
function dateAfter(plain: readonly string[], rows: readonly DigitRow[], at: number): WordSpan[] {
  const end = Math.min(plain.length, at + 1 + before)
  for (let from = at + 1; from < end; from += 1) {
    if (writtenDate.test(plain[from]!)) return [{ from, to: from + 1 }]
    const isMonth = monthName.test(plain[from]!)
    const row = rows.find((each) => each.from === (isMonth ? from + 1 : from))
    const [least, most] = isMonth ? [2, 4] : digitsOf.expiry
    if (row && row.digits.length >= least && row.digits.length <= most) return [{ from, to: row.to }]
    if (row) return []
  }
  return []
}

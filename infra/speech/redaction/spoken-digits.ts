import { plainSpelling } from '../text/numerals/hindi-numbers.ts'
import { tokenOf } from '../text/numerals/tokens.ts'
import { peel } from '../text/script.ts'

/** What one word is to a row of digits; nothing when the row ends before it. */
export type DigitPiece =
  | { readonly kind: 'digits'; readonly digits: string; readonly isWeak: boolean }
  /** Twenty to ninety in English: a number below ten may follow it. */
  | { readonly kind: 'tens'; readonly digits: string }
  /** Double, triple: how often the next digit counts. */
  | { readonly kind: 'times'; readonly times: number }
  /** What people say between digits and does not end the row. */
  | { readonly kind: 'filler' }

/** The zeros of the scripts that recordings may be written in; their digits follow them. */
const zeros = [
  0x06_60, 0x06_f0, 0x09_66, 0x09_e6, 0x0a_66, 0x0a_e6, 0x0b_66, 0x0b_e6, 0x0c_66, 0x0c_e6, 0x0d_66, 0xff_10,
]

/** Digits of any script as 0 to 9; everything else stays. */
export function plainDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? digit : String(code - zero)
  })
}

/** English digits as they are written in Devanagari, and Hindi ones in Latin letters. By value; spellings apart by `|`. */
const otherSpellings = [
  'ज़ीरो|shunya|sunya|shoonya|nil|nought',
  'वन|ek',
  'टू|do',
  'थ्री|teen|tin',
  'फोर|फ़ोर|char|chaar',
  'फाइव|फ़ाइव|फाईव|paanch|panch',
  'सिक्स|chhe|che|chhah|chah',
  'सेवन|सेवेन|saat|sat',
  'एट|ऐट|aath|ath',
  'नाइन|नाईन|nau',
]
const digitSpellings = new Map(
  otherSpellings.flatMap((spellings, value) => spellings.split('|').map((word) => [plainSpelling(word), value])),
)
/** Words that mean something else as well, unless digits stand around them. */
const weakWords = new Set(
  ['do', 'teen', 'tin', 'char', 'che', 'sat', 'oh', 'o', 'ओ', 'टू', 'एट', 'ऐट', 'वन'].map(plainSpelling),
)
const zeroWords = new Set(['oh', 'o', 'ओ'].map(plainSpelling))
const fillers = new Set(
  `dash hyphen space plus minus then and uh um hmm hm haan han ok okay yes ji right se to too for ate won
  डैश हाइफ़न स्पेस प्लस माइनस फिर और उम अम हम्म हाँ हां जी अच्छा ओके ठीक मतलब उसके बाद`
    .split(/\s+/u)
    .map(plainSpelling),
)

export function digitPieceOf(word: string): DigitPiece | undefined {
  const { core } = peel(plainDigits(word))
  if (core === '') return { kind: 'filler' }
  if (/\d/u.test(core)) return figureOf(word, core)
  const plain = plainSpelling(core)
  return wordPiece(plain) ?? compoundOf(plain)
}

/** Amounts, times, dates and decimals are numbers of something, and end the row. */
function figureOf(word: string, core: string): DigitPiece | undefined {
  if (!/^\d[\d\-–,()]*$/u.test(core) || /[₹$€£%]/u.test(word)) return undefined
  return { kind: 'digits', digits: core.replaceAll(/\D/gu, ''), isWeak: false }
}

function wordPiece(plain: string): DigitPiece | undefined {
  const isWeak = weakWords.has(plain)
  if (zeroWords.has(plain)) return { kind: 'digits', digits: '0', isWeak }
  const spelt = digitSpellings.get(plain)
  if (spelt !== undefined) return { kind: 'digits', digits: String(spelt), isWeak }
  const token = tokenOf(plain)
  if (token?.kind === 'joint' && token.joint === 'double') return { kind: 'times', times: 2 }
  if (token?.kind === 'joint' && token.joint === 'triple') return { kind: 'times', times: 3 }
  if (token?.kind === 'number') {
    const isTens = token.from === 'english' && token.value >= 20
    const digits = String(token.value)
    return isTens ? { kind: 'tens', digits } : { kind: 'digits', digits, isWeak }
  }
  return fillers.has(plain) ? { kind: 'filler' } : undefined
}

/** Ninety-eight, and nine-eight-seven. */
function compoundOf(plain: string): DigitPiece | undefined {
  const parts = plain.split(/[-–]/u)
  if (parts.length < 2) return undefined
  let digits = ''
  for (const [at, part] of parts.entries()) {
    const piece = wordPiece(part)
    if (piece?.kind === 'tens') digits += isUnit(parts[at + 1]) ? piece.digits[0] : piece.digits
    else if (piece?.kind === 'digits') digits += piece.digits
    else return undefined
  }
  return { kind: 'digits', digits, isWeak: false }
}

function isUnit(part: string | undefined): boolean {
  const piece = part === undefined ? undefined : wordPiece(part)
  return piece?.kind === 'digits' && /^[1-9]$/u.test(piece.digits)
}

import { hindiNumberWords } from './hindi-numbers.ts'
import { englishNumbers } from './tokens.ts'

const hindiScales = [
  [10_000_000, 'करोड़'],
  [100_000, 'लाख'],
  [1000, 'हज़ार'],
  [100, 'सौ'],
] as const
const englishScales = [
  [10_000_000, 'crore'],
  [100_000, 'lakh'],
  [1000, 'thousand'],
  [100, 'hundred'],
] as const
const englishWords = new Map(Array.from(englishNumbers, ([word, value]) => [value, word]))

/** Longer rows of digits are read one by one. */
const quantityDigits = 9
/** 1947 is nineteen hundred and forty-seven too. */
const yearsFrom = 1100
const yearsTo = 1999

/** A row of digits as it may be read out, in Hindi and in English. */
export function digitsInWords(digits: string): string[] {
  const value = Number(digits)
  if (digits.length > quantityDigits)
    return [hindi, english].map((read) => Array.from(digits, (digit) => read(Number(digit))).join(' '))
  const hundreds = [Math.floor(value / 100), value % 100] as const
  const isYear = value >= yearsFrom && value <= yearsTo
  const asYear = [`${hindi(hundreds[0])} सौ ${hundreds[1] === 0 ? '' : hindi(hundreds[1])}`.trim()]
  return [hindi(value), ...(isYear ? asYear : []), english(value)]
}

function hindi(value: number): string {
  return scaled(value, hindiScales, (rest) => hindiNumberWords[rest] ?? '')
}

function english(value: number): string {
  const small = (rest: number): string =>
    englishWords.get(rest) ?? `${englishWords.get(rest - (rest % 10))} ${englishWords.get(rest % 10)}`
  return scaled(value, englishScales, small)
}

function scaled(
  value: number,
  scales: readonly (readonly [number, string])[],
  small: (rest: number) => string,
): string {
  const parts: string[] = []
  let rest = value
  for (const [scale, word] of scales) {
    if (rest < scale) continue
    parts.push(scaled(Math.floor(rest / scale), scales, small), word)
    rest %= scale
  }
  return [...parts, ...(rest > 0 || value === 0 ? [small(rest)] : [])].join(' ')
}

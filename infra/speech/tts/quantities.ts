import type { VoiceLanguage } from './languages.ts'
import { isMonth, isUnit, monthName, wordsFor } from './words-for-signs.ts'

/**
 * Numbers as the engine reads them well: plain digits in the language of the clause, with everything around the digits
 * (grouping, currency, dates, times, units) turned into words. Digits of other scripts are turned into these ten first.
 */
export function spokenNumber(core: string, language: VoiceLanguage): string | undefined {
  const text = latinDigits(core)
  const range = /^(\d[\d,.]*)[-–—](\d[\d,.]*)$/u.exec(text)
  if (range && !text.startsWith('0'))
    return `${plain(range[1]!, language)} ${wordsFor('to', language)} ${plain(range[2]!, language)}`
  const fraction = /^(\d{1,3})\/(\d{1,3})$/u.exec(text)
  if (fraction) return `${fraction[1]} ${wordsFor('by', language)} ${fraction[2]}`
  const measured = /^(\d[\d,]*(?:\.\d+)?)(°?\p{L}{1,2}|°)$/u.exec(text)
  if (measured && isUnit(measured[2]!.toLowerCase()))
    return `${plain(measured[1]!, language)} ${wordsFor(measured[2]!.toLowerCase(), language)}`
  if (/^\+?\d[\d-]*$/u.test(text) && (/^[+0]/u.test(text) || text.replaceAll('-', '').length >= digitwiseMin))
    return digitByDigit(text)
  return /^\d[\d,]*(?:\.\d+)?$/u.test(text) ? plain(text, language) : undefined
}

/** So many digits without grouping are a telephone or account number, which nobody reads as a quantity. */
const digitwiseMin = 10
const digitZeros = /[\u0966-\u096f\u0be6-\u0bef\u0660-\u0669\u06f0-\u06f9]/gu

export function latinDigits(text: string): string {
  return text.replaceAll(digitZeros, (digit) => String((digit.codePointAt(0)! - zeroOf(digit.codePointAt(0)!)) % 10))
}

function zeroOf(code: number): number {
  return [0x06_60, 0x06_f0, 0x09_66, 0x0b_e6].findLast((zero) => zero <= code) ?? code
}

/** In threes, so that a listener can write it down: 98765 43210 in groups of five as Indian numbers are told. */
function digitByDigit(text: string): string {
  const digits = text.replaceAll(/\D/gu, '')
  const groups = digits.match(/\d{1,5}/gu) ?? []
  return groups.map((group) => Array.from(group).join(' ')).join(' ')
}

function plain(text: string, language: VoiceLanguage): string {
  const [whole = '', decimals] = text.replaceAll(/,+$/gu, '').split('.')
  const digits = whole.replaceAll(',', '')
  if (digits.length > longestQuantity) return digitByDigit(digits)
  const tail = decimals ? `.${decimals}` : ''
  return (language === 'en' && isIndianGrouping(whole) ? inLakhs(digits) : digits) + tail
}

/** Crores of crores are not said; beyond this a number is a row of digits. */
const longestQuantity = 13

function isIndianGrouping(text: string): boolean {
  return /^\d{1,2}(?:,\d{2})+,\d{3}$/u.test(text)
}

function inLakhs(digits: string): string {
  const crores = Number(digits.slice(0, -7))
  const lakhs = Number(digits.slice(-7, -5))
  const rest = Number(digits.slice(-5))
  return [crores > 0 && `${crores} crore`, lakhs > 0 && `${lakhs} lakh`, rest > 0 && `${rest}`]
    .filter(Boolean)
    .join(' ')
}

interface Amount {
  readonly whole: string
  readonly number: string
  readonly currency: string
}

const currencies: Readonly<Record<string, Readonly<Record<VoiceLanguage, readonly [unit: string, part: string]>>>> = {
  '₹': { en: ['rupees', 'paise'], hi: ['रुपये', 'पैसे'], ta: ['ரூபாய்', 'பைசா'] },
  $: { en: ['dollars', 'cents'], hi: ['डॉलर', 'सेंट'], ta: ['டாலர்', 'சென்ட்'] },
  '€': { en: ['euros', 'cents'], hi: ['यूरो', 'सेंट'], ta: ['யூரோ', 'சென்ட்'] },
  '£': { en: ['pounds', 'pence'], hi: ['पाउंड', 'पेंस'], ta: ['பவுண்டு', 'பென்ஸ்'] },
}

/** A currency by itself, whose number is the next word. */
export function isCurrency(word: string): boolean {
  return /^(?:₹|\$|€|£|Rs\.?|INR|USD)$/iu.test(word)
}

/** ₹1,250.50, Rs.500, $5, 500₹. */
export function amount(word: string, language: VoiceLanguage): Amount | undefined {
  const text = latinDigits(word)
  const leading = /^[("'“‘-]*(₹|\$|€|£|Rs\.?|INR|USD)(\d[\d,]*)(?:\.(\d+))?(?!\d)/iu.exec(text)
  const trailing = /^[("'“‘-]*(\d[\d,]*)(?:\.(\d+))?(₹|\$|€|£)/u.exec(text)
  const [sign, whole, part] = leading?.slice(1) ?? (trailing ? [trailing[3], trailing[1], trailing[2]] : [])
  if (sign === undefined || whole === undefined) return undefined
  const names = currencies[signOf(sign)]![language]
  const number = plain(whole, language)
  const one = language === 'en' && number === '1'
  const currency = one ? names[0].replace(/s$/u, '') : names[0]
  const parts = part?.length === 2 && Number(part) > 0 ? ` ${Number(part)} ${names[1]}` : ''
  const decimals = part !== undefined && part.length !== 2 ? `.${part}` : ''
  return {
    whole: `${number}${decimals} ${currency}${parts}`,
    number: part === undefined ? number : `${number}.${part}`,
    currency: names[0],
  }
}

function signOf(sign: string): string {
  if (/^(?:rs|inr)/iu.test(sign)) return '₹'
  return /^usd/iu.test(sign) ? '$' : sign
}

const magnitudes = new Set(
  'hundred thousand lakh lakhs crore crores million billion trillion सौ हज़ार हजार लाख करोड़ अरब ஆயிரம் லட்சம் கோடி'.split(
    ' ',
  ),
)

export function isMagnitude(word: string): boolean {
  return magnitudes.has(word.toLowerCase().normalize('NFC'))
}

/** 4/3/2024 and 4-3-2024 are the fourth of March, as in India; 2024-03-04 is the same day. */
export function dateOf(core: string, language: VoiceLanguage): string | undefined {
  const text = latinDigits(core)
  const written = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/u.exec(text)
  const sorted = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(text)
  const [day, month, year] = written?.slice(1) ?? sorted?.slice(1).reverse() ?? []
  if (day === undefined || month === undefined || year === undefined) return undefined
  const name = monthName(Number(month), language)
  if (name === undefined || Number(day) < 1 || Number(day) > 31) return undefined
  return `${Number(day)} ${name} ${language === 'en' ? spokenYear(year) : year}`
}

const beforeYears = new Set('in since of by from until till year before after during sal सन सन् साल वर्ष'.split(' '))

export function yearOf(core: string, before: string, language: VoiceLanguage): string | undefined {
  if (language !== 'en' || !/^(?:1[1-9]|20)\d\d$/u.test(core)) return undefined
  const word = before.toLowerCase().replace(/[^\p{L}]+$/u, '')
  const dated = beforeYears.has(word) || (word !== '' && isMonth(word)) || /^\d{1,2},$/u.test(before)
  return dated ? spokenYear(core) : undefined
}

/** 1999 is nineteen ninety nine; 2005 is two thousand five. */
function spokenYear(year: string): string {
  const [century, rest] = [year.slice(0, 2), year.slice(2)]
  if (/^[12]00/u.test(year)) return year
  if (rest === '00') return `${century} hundred`
  return rest.startsWith('0') ? `${century} oh ${Number(rest)}` : `${century} ${rest}`
}

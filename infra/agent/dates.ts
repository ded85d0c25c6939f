import { numbersIn } from './numbers.ts'
import { agentWords } from './words.ts'

const dayMs = 86_400_000

/** Days from today. `कल` is yesterday or tomorrow; whoever asks for something means tomorrow. */
const relative: Readonly<Record<string, number>> = {
  today: 0,
  tonight: 0,
  आज: 0,
  aaj: 0,
  இன்று: 0,
  இன்னைக்கு: 0,
  tomorrow: 1,
  कल: 1,
  kal: 1,
  நாளை: 1,
  நாளைக்கு: 1,
  परसों: 2,
  parso: 2,
  parson: 2,
  yesterday: -1,
  நேற்று: -1,
}

const weekdays: readonly (readonly string[])[] = [
  ['sunday', 'रविवार', 'इतवार', 'ravivar', 'ஞாயிறு'],
  ['monday', 'सोमवार', 'somvar', 'திங்கள்'],
  ['tuesday', 'मंगलवार', 'mangalvar', 'செவ்வாய்'],
  ['wednesday', 'बुधवार', 'budhvar', 'புதன்'],
  ['thursday', 'गुरुवार', 'बृहस्पतिवार', 'guruvar', 'வியாழன்'],
  ['friday', 'शुक्रवार', 'shukravar', 'வெள்ளி'],
  ['saturday', 'शनिवार', 'shanivar', 'சனி'],
]

const months: readonly (readonly string[])[] = [
  ['january', 'jan', 'जनवरी', 'ஜனவரி'],
  ['february', 'feb', 'फरवरी', 'பிப்ரவரி'],
  ['march', 'mar', 'मार्च', 'மார்ச்'],
  ['april', 'apr', 'अप्रैल', 'ஏப்ரல்'],
  ['may', 'मई', 'மே'],
  ['june', 'jun', 'जून', 'ஜூன்'],
  ['july', 'jul', 'जुलाई', 'ஜூலை'],
  ['august', 'aug', 'अगस्त', 'ஆகஸ்ட்'],
  ['september', 'sep', 'सितंबर', 'செப்டம்பர்'],
  ['october', 'oct', 'अक्टूबर', 'அக்டோபர்'],
  ['november', 'nov', 'नवंबर', 'நவம்பர்'],
  ['december', 'dec', 'दिसंबर', 'டிசம்பர்'],
]

const isoDate = /\b(\d{4})-(\d{2})-(\d{2})\b/
const clockTime = /\b(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\.?|p\.?m\.?)?/gi

/** The first day that a text names, as `2026-08-15`; `today` is the midnight that the day began with, in UTC. */
export function dateIn(text: string, todayMs: number): string | undefined {
  const [iso] = isoDate.exec(text) ?? []
  if (iso !== undefined) return iso
  const words = agentWords(text)
  for (const [at, word] of words.entries()) {
    if (Object.hasOwn(relative, word)) return dayOf(todayMs + relative[word]! * dayMs)
    const weekday = weekdays.findIndex((names) => names.includes(word))
    if (weekday >= 0) return dayOf(todayMs + ahead(weekday, todayMs) * dayMs)
    const month = months.findIndex((names) => names.includes(word))
    const day = month >= 0 ? dayBeside(words, at) : undefined
    if (day !== undefined) return nextDate(month, day, todayMs)
  }
  return undefined
}

/** `17:00` for `5 pm`, `शाम 5 बजे`, `17:00`. */
export function timeIn(text: string): string | undefined {
  const isEvening = /\bp\.?m\b|शाम|रात|दोपहर|shaam|raat|dopahar|evening|night|afternoon|மாலை|இரவு/i.test(text)
  const isHour = /बजे|baje|o'clock|மணி/.test(text)
  for (const [, hourText = '', minuteText, half] of text.matchAll(clockTime)) {
    const isTime = minuteText !== undefined || half !== undefined || isHour
    const hour = Number(hourText)
    if (!isTime || hour > 23) continue
    const isLate = half ? /^p/i.test(half) : isEvening
    return `${String(isLate && hour < 12 ? hour + 12 : hour).padStart(2, '0')}:${minuteText ?? '00'}`
  }
  const said = isHour ? numbersIn(text)[0]?.value : undefined
  if (said === undefined || said > 23) return undefined
  return `${String(isEvening && said < 12 ? said + 12 : said).padStart(2, '0')}:00`
}

function dayBeside(words: readonly string[], at: number): number | undefined {
  const beside = [words[at - 1], words[at + 1]].map((word) => Number(/^(\d{1,2})/.exec(word ?? '')?.[1] ?? NaN))
  // `15th August` is three words: 15, th, August
  if (/^(?:st|nd|rd|th|of)$/.test(words[at - 1] ?? '')) beside.push(Number(words[at - 2]))
  return beside.find((day) => day >= 1 && day <= 31)
}

function ahead(weekday: number, todayMs: number): number {
  return (weekday - new Date(todayMs).getUTCDay() + 7) % 7 || 7
}

function nextDate(month: number, day: number, todayMs: number): string {
  const year = new Date(todayMs).getUTCFullYear()
  const thisYear = Date.UTC(year, month, day)
  return dayOf(thisYear >= todayMs ? thisYear : Date.UTC(year + 1, month, day))
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

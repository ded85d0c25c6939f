import { latinDigits } from './quantities.ts'
import type { VoiceLanguage } from './languages.ts'
import { wordsFor } from './words-for-signs.ts'

/** 10:30, 10:30am, 5pm. `after` is the word that follows, which may say already that it is a time: 10:30 बजे. */
export function timeOf(core: string, after: string, language: VoiceLanguage): string | undefined {
  const text = latinDigits(core)
  const match = /^(\d{1,2}):(\d{2})(?::\d{2})?([ap]\.?m)?$/iu.exec(text) ?? /^(\d{1,2})()([ap]\.?m)$/iu.exec(text)
  if (!match) return undefined
  const [hour, minute] = [Number(match[1]), Number(match[2] || 0)]
  if (hour > 24 || minute > 59) return undefined
  const half = match[3] ? ` ${match[3][0]!.toUpperCase()}.M` : ''
  if (language === 'en') return englishTime(hour, minute, half)
  const isTold = after.startsWith('बजे') || after.startsWith('மணி')
  if (minute === 0) return isTold ? `${hour}` : `${hour} ${wordsFor('oclock', language)}`
  const quarter = language === 'hi' ? hindiQuarter(hour, minute) : undefined
  if (quarter !== undefined) return isTold ? quarter : `${quarter} ${wordsFor('oclock', language)}`
  if (isTold && language === 'ta') return `${hour} ${minute}`
  return `${hour} ${wordsFor('past', language)} ${minute} ${wordsFor('minutes', language)}`
}

function englishTime(hour: number, minute: number, half: string): string {
  if (minute === 0) return half === '' ? `${hour} ${wordsFor('oclock', 'en')}` : `${hour}${half}`
  return `${hour} ${minute < 10 ? `oh ${minute}` : minute}${half}`
}

/** Hindi tells quarters by words of their own; half past one and half past two have one each. */
function hindiQuarter(hour: number, minute: number): string | undefined {
  if (minute === 15) return hour === 1 ? 'सवा' : `सवा ${hour}`
  if (minute === 30) return halfPast.get(hour) ?? `साढ़े ${hour}`
  return minute === 45 ? `पौने ${hour + 1}` : undefined
}

const halfPast = new Map([
  [1, 'डेढ़'],
  [2, 'ढाई'],
])

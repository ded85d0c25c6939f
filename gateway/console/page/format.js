import { dateFormat, displayNames, numberFormat, relativeFormat } from './intl.js'
import { say } from './say.js'

/** Numbers, times and states in words. */

const secondsPerMinute = 60
const secondsPerHour = 3600

/** `1:02:03`, or `2:03` below an hour. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / secondsPerHour)
  const minutes = Math.floor((whole % secondsPerHour) / secondsPerMinute)
  const rest = String(whole % secondsPerMinute).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** How long something lasts or will take, roughly. */
export function about(seconds) {
  if (seconds < 1) return say('format.moment')
  if (seconds < 90) return lengthIn('second', Math.round(seconds))
  if (seconds < 90 * secondsPerMinute) return lengthIn('minute', Math.round(seconds / secondsPerMinute))
  return lengthIn('hour', seconds / secondsPerHour)
}

/** @param {'second' | 'minute' | 'hour' | 'day'} unit */
export function lengthIn(unit, number) {
  return numberFormat({ style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 }).format(number)
}

/** @param {number} part of one */
export function percent(part) {
  return numberFormat({ style: 'percent' }).format(part)
}

/** `Fetching model moonshine-base-en, 40%` */
export function waitingText({ what, percent: hundredths }) {
  const text = what.charAt(0).toUpperCase() + what.slice(1)
  return hundredths === undefined ? text : `${text}, ${percent(hundredths / 100)}`
}

export function sizeOf(bytes) {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const digits = power === 0 || value >= 100 ? 0 : 1
  return numberFormat({
    style: 'unit',
    unit: units[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value)
}

/** An id begins with the time at which it was made. */
export function madeAt(id) {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

const timeOfDay = { hour: '2-digit', minute: '2-digit' }

/** Only of another year: a key that lives for one would seem to end on the day it was made. */
function yearIn(date, now) {
  return date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }
}

export function when(date, now = new Date()) {
  if (date.toDateString() !== now.toDateString())
    return dateFormat({ ...yearIn(date, now), day: 'numeric', month: 'short', ...timeOfDay }).format(date)
  return `${relativeFormat({ numeric: 'auto' }).format(0, 'day')}, ${dateFormat(timeOfDay).format(date)}`
}

export function languageName(code) {
  if (!code || code === 'und') return say('format.noSpeech')
  try {
    return displayNames({ type: 'language', fallback: 'code' }).of(code) ?? code
  } catch {
    return code
  }
}

/** `speaker_2` and `channel_0` are how the service tells voices apart; people are told `Speaker 2` and `Side 1`, in their language. */
export function speakerName(id) {
  const number = /^(?:channel-\d+-)?speaker[-_](\d+)$/.exec(id)?.[1]
  const speaker = number === undefined ? undefined : say('format.speaker', { number })
  const channel = /^channel_(\d+)$|^channel-(\d+)-speaker_\d+$/.exec(id)?.slice(1).find(Boolean)
  if (channel === undefined) return speaker ?? id
  const side = say('format.side', { number: Number(channel) + 1 })
  // an older version told several voices of a side apart
  return speaker === undefined || number === '1' ? side : say('format.sideSpeaker', { side, speaker })
}

/** Each state has a sign of its own beside its colour and its word, which is a key. */
const states = {
  none: { word: 'state.none', sign: '–', tone: 'quiet' },
  pending: { word: 'state.storing', sign: '○', tone: 'quiet' },
  uploading: { word: 'state.storing', sign: '○', tone: 'quiet' },
  unstored: { word: 'state.unstored', sign: '✕', tone: 'bad' },
  queued: { word: 'state.queued', sign: '○', tone: 'quiet' },
  processing: { word: 'state.processing', sign: '◐', tone: 'busy' },
  retrying: { word: 'state.retrying', sign: '↻', tone: 'busy' },
  completed: { word: 'state.completed', sign: '✓', tone: 'good' },
  partial: { word: 'state.partial', sign: '◑', tone: 'fair' },
  wordless: { word: 'state.wordless', sign: '◑', tone: 'fair' },
  failed: { word: 'state.failed', sign: '✕', tone: 'bad' },
}

export function stateOf(status) {
  return states[status] ?? states.none
}

export function isOpen(status) {
  return status === 'queued' || status === 'processing' || status === 'retrying'
}

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
  if (seconds < 1) return 'a moment'
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 90 * secondsPerMinute) return `${Math.round(seconds / secondsPerMinute)} min`
  return `${(seconds / secondsPerHour).toFixed(1)} h`
}

/** `Fetching model moonshine-base-en, 40 %` */
export function waitingText({ what, percent }) {
  const text = what.charAt(0).toUpperCase() + what.slice(1)
  return percent === undefined ? text : `${text}, ${percent} %`
}

export function sizeOf(bytes) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

/** An id begins with the time at which it was made. */
export function madeAt(id) {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

const sameDay = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const otherDay = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

export function when(date, now = new Date()) {
  return date.toDateString() === now.toDateString() ? `today, ${sameDay.format(date)}` : otherDay.format(date)
}

export function count(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' })

const knownNames = new Map()

/** Asked for every word of a transcript. */
export function languageName(code) {
  const known = knownNames.get(code)
  if (known !== undefined) return known
  const name = nameOfLanguage(code)
  knownNames.set(code, name)
  return name
}

function nameOfLanguage(code) {
  if (!code || code === 'und') return 'No speech'
  try {
    return languageNames.of(code) ?? code
  } catch {
    return code
  }
}

/** `speaker_2` is how the service tells voices apart; people are told `Speaker 2`. */
export function speakerName(id) {
  const number = /^speaker[-_](\d+)$/.exec(id)?.[1]
  return number === undefined ? id : `Speaker ${number}`
}

/** Each state has a sign of its own beside its colour and its word. */
export const states = {
  none: { word: 'Not transcribed', sign: '–', tone: 'quiet' },
  pending: { word: 'Being stored', sign: '○', tone: 'quiet' },
  uploading: { word: 'Being stored', sign: '○', tone: 'quiet' },
  unstored: { word: 'Not stored', sign: '✕', tone: 'bad' },
  queued: { word: 'Waiting', sign: '○', tone: 'quiet' },
  processing: { word: 'Transcribing', sign: '◐', tone: 'busy' },
  retrying: { word: 'Trying again', sign: '↻', tone: 'busy' },
  completed: { word: 'Done', sign: '✓', tone: 'good' },
  partial: { word: 'Done, with gaps', sign: '◑', tone: 'fair' },
  wordless: { word: 'Done, not all understood', sign: '◑', tone: 'fair' },
  failed: { word: 'Failed', sign: '✕', tone: 'bad' },
}

export function isOpen(status) {
  return status === 'queued' || status === 'processing' || status === 'retrying'
}

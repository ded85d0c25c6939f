import type { RecordingPart } from '../../actors/run/state.ts'
import { languageCodes, redactionKinds } from '../../actors/transcript/state.ts'
import type { RedactionKind } from '../../actors/transcript/state.ts'
import { UsageError } from './command.ts'
import type { GivenArguments } from './command.ts'

/** Reads options that take one word of a few. */
export function chooser(options: GivenArguments['options']) {
  return <const Option extends string, Fallback>(
    name: string,
    allowed: readonly Option[],
    fallback: Fallback,
  ): Option | Fallback => {
    const given = options[name]
    if (given === undefined) return fallback
    const found = allowed.find((option) => option === given)
    if (found === undefined)
      throw new UsageError(`--${name} takes ${allowed.join(', ')}, not ${JSON.stringify(given)}.`)
    return found
  }
}

export function textOption(options: GivenArguments['options'], name: string): string | undefined {
  const given = options[name]
  return typeof given === 'string' ? given : undefined
}

export function wholeNumber(options: GivenArguments['options'], name: string, max: number): number | undefined {
  const given = options[name]
  if (given === undefined) return undefined
  const number = typeof given === 'string' && /^\d{1,7}$/.test(given) ? Number(given) : NaN
  if (number >= 1 && number <= max) return number
  throw new UsageError(`--${name} takes a whole number from 1 to ${max}, not ${JSON.stringify(given)}.`)
}

const aTime = /^(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,6}(?:\.\d{1,3})?)$/
const leastPartSeconds = 0.1

/** `--start` and `--end`: seconds, or minutes and hours as players show them. Nothing when neither is given. */
export function partOption(options: GivenArguments['options']): RecordingPart | undefined {
  const [start, end] = [timeOption(options, 'start'), timeOption(options, 'end')]
  if (start === undefined && end === undefined) return undefined
  if (end !== undefined && end - (start ?? 0) < leastPartSeconds)
    throw new UsageError(`--end is at least ${leastPartSeconds} seconds after --start.`)
  return { start: start ?? 0, ...(end !== undefined && { end }) }
}

function timeOption(options: GivenArguments['options'], name: string): number | undefined {
  const given = textOption(options, name)
  if (given === undefined) return undefined
  const [, hours = '0', minutes = '0', seconds] = aTime.exec(given) ?? []
  if (seconds === undefined) throw new UsageError(`--${name} takes seconds, or a time such as 1:30 or 1:02:03.`)
  return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
}

export function jsonObject(options: GivenArguments['options'], name: string): Record<string, unknown> | undefined {
  const given = textOption(options, name)
  if (given === undefined) return undefined
  const refused = new UsageError(`--${name} takes a JSON object, such as '{"ticket": "A-17"}'.`)
  try {
    const value: unknown = JSON.parse(given)
    // as: what JSON has between braces
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    throw refused
  }
  throw refused
}

/** What may be said of the language wherever it may be said; `auto` is as if nothing was. */
export const chosenLanguages = ['auto', ...languageCodes] as const

/** Separated by commas. */
export function wordsIn(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

/** What is to be taken out of the words. */
export function chosenRedaction(options: GivenArguments['options']): readonly RedactionKind[] | undefined {
  const given = textOption(options, 'redact')
  if (given === undefined) {
    const idle = ['redact-audio', 'keep-unredacted'].find((name) => options[name] === true)
    if (idle !== undefined) throw new UsageError(`--${idle} takes nothing out by itself. Say what with --redact KINDS.`)
    return undefined
  }
  if (given === 'all') return redactionKinds
  return wordsIn(given).map((word) => {
    const kind = redactionKinds.find((one) => one === word)
    if (kind === undefined)
      throw new UsageError(`--redact takes all, or some of ${redactionKinds.join(', ')}, not ${JSON.stringify(word)}.`)
    return kind
  })
}

import { z } from 'zod'

import { printable } from './printable.ts'

const lineSchema = z.looseObject({ time: z.string(), level: z.string(), role: z.string(), msg: z.string() })
const errorSchema = z.looseObject({ message: z.string() })

const valueMaxCharacters = 200

/** A line of the JSON log as people read it: time, level, role, message, and the facts behind it. */
export function humanLine(json: string): string {
  const { time, level, role, msg, ...facts } = lineSchema.parse(JSON.parse(json))
  const shown = Object.entries(facts).map(([name, value]) => `${name}=${show(value)}`)
  return `  ${[time.slice(11, 19), level.padEnd(5), role.padEnd(7), msg, ...shown].join('  ')}\n`
}

function show(value: unknown): string {
  const error = errorSchema.safeParse(value)
  const text = error.success ? error.data.message : typeof value === 'string' ? value : JSON.stringify(value)
  const safe = printable(text)
  return safe.length > valueMaxCharacters ? `${safe.slice(0, valueMaxCharacters)}…` : safe
}

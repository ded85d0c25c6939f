import pino from 'pino'

import type { Log } from '../../actors/ports.ts'
import { humanLine } from './human-line.ts'

const piiPrefix = 'pii.'
const depthMax = 6

interface LogOptions {
  readonly level: string
  readonly pii: boolean
  readonly role: string
  /** What is going on when a line is written; its facts are in the line. */
  readonly belongsTo?: () => object | undefined
}

/** On standard error, so that standard output stays for results: JSON for machines, short lines for a terminal. */
export function openLog(options: LogOptions): Log {
  const { belongsTo } = options
  const logger = pino(
    {
      level: options.level,
      base: { role: options.role },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError, why: describeError },
      depthLimit: depthMax,
      ...(belongsTo && { mixin: () => belongsTo() ?? {} }),
    },
    process.stderr.isTTY ? terminal : pino.destination({ dest: 2, sync: true }),
  )
  const keep = (facts: object): object =>
    options.pii ? facts : Object.fromEntries(Object.entries(facts).filter(([key]) => !key.startsWith(piiPrefix)))
  return {
    debug: (message, facts = {}) => logger.debug(keep(facts), message),
    info: (message, facts = {}) => logger.info(keep(facts), message),
    warn: (message, facts = {}) => logger.warn(keep(facts), message),
    error: (message, facts = {}) => logger.error(keep(facts), message),
  }
}

/** What was aborted carries two dozen constants of the web platform, which say nothing. */
export function describeError(error: unknown): unknown {
  if (error instanceof DOMException) return { type: error.name, message: error.message, stack: error.stack }
  return error instanceof Error ? pino.stdSerializers.errWithCause(error) : error
}

const terminal: pino.DestinationStream = {
  write: (line) => void process.stderr.write(humanLine(line)),
}

import pino from 'pino'

import type { Log } from '../actors/ports.ts'

const piiPrefix = 'pii.'
const depthMax = 6

/** JSON lines on standard error, so that standard output stays for results. */
export function openLog(of: { level: string; pii: boolean; role: string }): Log {
  const logger = pino(
    {
      level: of.level,
      base: { role: of.role },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.errWithCause, why: pino.stdSerializers.errWithCause },
      depthLimit: depthMax,
    },
    pino.destination({ dest: 2, sync: true }),
  )
  const keep = (facts: object): object =>
    of.pii ? facts : Object.fromEntries(Object.entries(facts).filter(([key]) => !key.startsWith(piiPrefix)))
  return {
    debug: (message, facts = {}) => logger.debug(keep(facts), message),
    info: (message, facts = {}) => logger.info(keep(facts), message),
    warn: (message, facts = {}) => logger.warn(keep(facts), message),
    error: (message, facts = {}) => logger.error(keep(facts), message),
  }
}

import type { Log } from '../../actors/ports.ts'

export interface LoggedLine {
  readonly level: keyof Log
  readonly message: string
  readonly facts: object
}

/** A log that keeps what it is told, for tests that read it and for those that want silence. */
export function aLog(): Log & { readonly lines: LoggedLine[] } {
  const lines: LoggedLine[] = []
  const at =
    (level: keyof Log) =>
    (message: string, facts: object = {}) =>
      void lines.push({ level, message, facts })
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

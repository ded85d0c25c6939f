import { readFile } from 'node:fs/promises'

import { printable } from '../telemetry/printable.ts'
import { textOption } from './choose.ts'
import { UsageError } from './command.ts'
import type { GivenArguments } from './command.ts'

/** Headers are read from a file: what is written behind a command, all users of a machine can see. */
export async function headersIn(
  options: GivenArguments['options'],
  name: string,
): Promise<Record<string, string> | undefined> {
  const path = textOption(options, name)
  if (path === undefined) return undefined
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`--${name}: ${printable(path)} is not there, or you may not read it.`)
  })
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line, at) => {
      const colon = line.indexOf(':')
      if (colon < 1) throw new UsageError(`--${name}: line ${at + 1} of the file is not "Name: value".`)
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
}

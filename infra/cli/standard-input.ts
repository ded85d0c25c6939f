import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { UsageError } from './command.ts'

const standardInput = '-'

/** A recording may come through a pipe. It is a file while it is worked on: who reads it goes back and forth in it. */
export async function withStandardInput<Result>(
  operands: readonly string[],
  work: (paths: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const times = operands.filter((operand) => operand === standardInput).length
  if (times === 0) return work(operands)
  if (times > 1) throw new UsageError('Standard input can be read once: name - once.')
  const folder = await mkdtemp(join(tmpdir(), 'vaak-'))
  try {
    const path = join(folder, 'standard-input')
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }))
    return await work(operands.map((operand) => (operand === standardInput ? path : operand)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

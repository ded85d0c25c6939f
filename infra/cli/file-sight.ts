import { stat } from 'node:fs/promises'

import { codeOf } from '../process/error-code.ts'

/** What tells one state of a file from another. */
export interface Sight {
  readonly sizeBytes: number
  readonly changedMs: number
}

/** Undefined when it is gone. */
export async function sightOf(path: string): Promise<Sight | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    return { sizeBytes: size, changedMs: mtimeMs }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

export function isSame(one: Sight, other: Sight): boolean {
  return one.sizeBytes === other.sizeBytes && one.changedMs === other.changedMs
}

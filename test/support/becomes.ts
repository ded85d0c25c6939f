import { isDeepStrictEqual } from 'node:util'

import type { ExecutionContext } from 'ava'

import { eventually } from './eventually.ts'

/**
 * A page takes in what happened in its own time, and has no text before it is painted: asks until it says what is wanted, and
 * where it never does, the test fails with what it said last.
 */
export async function becomes<T>(t: ExecutionContext, ask: () => Promise<T>, wanted: T): Promise<void> {
  let last: unknown = 'nothing'
  const isWanted = async (): Promise<boolean> => {
    last = await ask()
    return isDeepStrictEqual(last, wanted)
  }
  await eventually('it becomes what is wanted', isWanted).catch(() => undefined)
  t.deepEqual(last, wanted)
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

/** A folder of this test's own, gone when the test ends. */
export async function aFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vaak-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

/** A folder of this test's own, gone when the test ends. */
export async function aFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vaak-test-'))
  t.teardown(() => removeFolder(folder))
  return folder
}

/** Also one into which something was written while it was being removed. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

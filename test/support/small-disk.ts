import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { ExecutionContext } from 'ava'

import { aFolder } from './folder.ts'
import { skipLoudly } from './skip-loudly.ts'

const run = promisify(execFile)

/** A disk of its own with so many bytes and no more, or undefined where this machine does not let us mount one. */
export async function aSmallDisk(t: ExecutionContext, sizeBytes: number): Promise<string | undefined> {
  const folder = join(await aFolder(t), 'disk')
  await mkdir(folder)
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=0700`, 'vaak-test', folder])
  } catch (error) {
    skipLoudly(t.title, error)
    return undefined
  }
  t.teardown(async () => void (await run('umount', [folder])))
  return folder
}

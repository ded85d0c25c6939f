import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { ExecutionContext } from 'ava'

import { aFolder } from './folder.ts'
import { testWhere } from './test-where.ts'
import type { ConditionalTest } from './test-where.ts'
import { unmount } from './unmount.ts'

const run = promisify(execFile)

/** For tests that use `aSmallDisk`: mounting one takes rights that not every machine gives. */
export function testWithSmallDisk(): Promise<ConditionalTest> {
  return testWhere('a disk that is full', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vaak-disk-'))
    try {
      await mount(folder, 4096)
      await unmount(folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
}

/** A disk of its own with so many bytes and no more. */
export async function aSmallDisk(t: ExecutionContext, sizeBytes: number): Promise<string> {
  const folder = join(await aFolder(t), 'disk')
  await mkdir(folder)
  await mount(folder, sizeBytes)
  t.teardown(() => unmount(folder))
  return folder
}

async function mount(folder: string, sizeBytes: number): Promise<void> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=0700`, 'vaak-test', folder])
}

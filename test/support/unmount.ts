import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { eventually } from './eventually.ts'

const run = promisify(execFile)

/** A question about the disk that was asked before its users ended, as how much of it is free, keeps it busy for a moment. */
export async function unmount(folder: string): Promise<void> {
  await eventually(`${folder} is in use by nobody`, async () => {
    await run('umount', [folder])
    return true
  })
}

import { execFile } from 'node:child_process'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where recordings, results and spools lie. */
export interface Disk {
  readonly folder: string
  /** Whether it can be filled without filling the machine's own. */
  readonly isSmall: boolean
  fill(): Promise<void>
  drain(): Promise<void>
  close(): Promise<void>
}

/** A disk of its own with so many bytes and no more; where this machine does not let us mount one, a folder that is never full. */
export async function openDisk(folder: string, sizeBytes: number): Promise<Disk> {
  await mkdir(folder, { recursive: true })
  const ballast = join(folder, 'ballast')
  const isSmall = await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=0700`, 'vaak-chaos', folder]).then(
    () => true,
    () => false,
  )
  return {
    folder,
    isSmall,
    async fill() {
      if (!isSmall) return
      const { bavail, bsize } = await statfs(folder)
      // others write meanwhile, so most of it at once and the rest until there is none
      await run('fallocate', ['--length', String(Math.max(bsize, Math.floor(bavail * bsize * 0.95))), ballast])
      await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k', 'oflag=append', 'conv=notrunc']).catch(
        () => undefined,
      )
    },
    drain: () => rm(ballast, { force: true }),
    async close() {
      if (isSmall) await run('umount', [folder])
    },
  }
}

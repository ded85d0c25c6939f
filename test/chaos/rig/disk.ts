import { execFile } from 'node:child_process'
import { access, mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { unmount } from '../../support/unmount.ts'

const run = promisify(execFile)

/** Where recordings, results and spools lie. */
export interface Disk {
  readonly folder: string
  /** Whether it can be filled without filling the machine's own. */
  readonly isSmall: boolean
  fill(): Promise<void>
  drain(): Promise<void>
  /** While there is a file with this name, workers get every answer of the store late. */
  readonly slowSign: string
  slow(): Promise<void>
  hasten(): Promise<void>
  /** The store is no longer where it was, as when its disk is not mounted. */
  takeStore(): Promise<void>
  /** Rejects when somebody has made another in its place. */
  bringStoreBack(): Promise<void>
  close(): Promise<void>
}

/** A disk of its own with so many bytes and no more; where this machine does not let us mount one, a folder that is never full. */
export async function openDisk(folder: string, sizeBytes: number): Promise<Disk> {
  await mkdir(folder, { recursive: true })
  const ballast = join(folder, 'ballast')
  const slowSign = join(folder, 'slow')
  const [store, elsewhere] = [join(folder, 'objects'), join(folder, 'objects.away')]
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
    slowSign,
    slow: () => writeFile(slowSign, ''),
    hasten: () => rm(slowSign, { force: true }),
    takeStore: () => rename(store, elsewhere),
    async bringStoreBack() {
      const isAway = await access(elsewhere).then(
        () => true,
        () => false,
      )
      if (isAway) await rename(elsewhere, store)
    },
    async close() {
      if (isSmall) await unmount(folder)
    },
  }
}

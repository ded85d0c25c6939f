import { stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { nearestFolder } from '../../blobs/trial.ts'
import { cacheFolderOf } from '../../config/cache-folder.ts'
import type { Config } from '../../config/config.ts'
import { spoolFolder, storageFolder } from '../../config/open-storage.ts'
import { sandboxState } from '../../process/sandbox.ts'
import type { GivenArguments } from '../command.ts'
import { broken, doubtful, healthy } from './diagnosis.ts'
import type { Examination, Diagnosis } from './diagnosis.ts'

export function lookAtSandbox({ sandbox }: Pick<Config, 'sandbox'>): Examination {
  return { about: 'sandbox', look: () => Promise.resolve([judgeSandbox(sandboxState(), sandbox)]) }
}

export function judgeSandbox(state: string, wanted: Config['sandbox']): Diagnosis {
  if (state === 'ok')
    return healthy('sandbox', 'What decodes recordings is kept from files, network and other processes.')
  const advice = 'Allow unshare and mount to who runs Vaak; infra/docs/deploying.md says how.'
  return wanted === 'required'
    ? broken('sandbox', `SANDBOX is required, and nothing starts here. ${state}`, advice)
    : doubtful('sandbox', state, advice)
}

/** Below the reserve uploads are refused; above this many of it there is nothing to say. */
const plentyOfReserves = 4
const mib = 1024 * 1024
/** Of all names that a disk can hold. */
const namesLeftMin = 0.01

/** One line a disk, however many of our folders are on it. */
export function lookAtDisks(given: GivenArguments): Examination {
  const { config } = given
  const storage = storageFolder(config)
  const folders: readonly (readonly [name: string, folder: string])[] = [
    ['data', config.dataDir],
    ['spool', spoolFolder(config)],
    ['work', join(config.dataDir, 'work')],
    ...(storage === undefined ? [] : [['storage', storage] as const]),
    ['cache', cacheFolderOf(given)],
  ]
  return {
    about: 'disk',
    async look() {
      const disks = new Map<number, { names: string[]; folder: string }>()
      for (const [name, wanted] of folders) {
        const folder = await nearestFolder(resolve(wanted))
        const { dev } = await stat(folder)
        const known = disks.get(dev)
        if (known) known.names.push(name)
        else disks.set(dev, { names: [name], folder })
      }
      return Promise.all(Array.from(disks.values(), (disk) => lookAtDisk(disk, config.spoolReserveBytes)))
    },
  }
}

async function lookAtDisk(disk: { names: string[]; folder: string }, reserveBytes: number): Promise<Diagnosis> {
  const { bavail, bsize, files, ffree } = await statfs(disk.folder)
  return judgeDisk({ ...disk, freeBytes: bavail * bsize, reserveBytes, namesLeft: files > 0 ? ffree / files : 1 })
}

export function judgeDisk(disk: {
  readonly names: readonly string[]
  readonly folder: string
  readonly freeBytes: number
  readonly reserveBytes: number
  /** Share of files that may still be made. */
  readonly namesLeft: number
}): Diagnosis {
  const { names, folder, freeBytes, reserveBytes, namesLeft } = disk
  const check = `disk.${names.join('+')}`
  const reason = `${Math.floor(freeBytes / mib)} MiB are free on the disk of ${folder}; ${Math.floor(reserveBytes / mib)} MiB are kept free (SPOOL_RESERVE_BYTES).`
  if (freeBytes < reserveBytes) return broken(check, reason, 'Make room: uploads are refused until there is.')
  if (namesLeft < namesLeftMin)
    return doubtful(
      check,
      `The disk of ${folder} can hold few more files (inodes).`,
      'Remove files, or use another disk.',
    )
  return freeBytes < reserveBytes * plentyOfReserves
    ? doubtful(check, reason, 'Make room, or add a disk, before uploads are refused.')
    : healthy(check, reason)
}

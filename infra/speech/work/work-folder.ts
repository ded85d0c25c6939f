import { mkdir, rm } from 'node:fs/promises'

import type { Log } from '../../../actors/ports.ts'
import { openStaging, timeOfDisk } from '../../blobs/staging.ts'

interface WorkFile {
  readonly path: string
  drop(): Promise<void>
}

/** Where recordings lie while they are decoded. Several workers may share it. */
export interface WorkFolder {
  /** A path for one file, until it is dropped. */
  nextFile(): WorkFile
  /** A path for one file, which is gone when `use` has ended, however it ended. */
  withFile<Result>(use: (path: string) => Promise<Result>): Promise<Result>
}

/** Clears it of what killed processes left. */
export async function openWorkFolder(folder: string, log: Log): Promise<WorkFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const staging = await openStaging(folder, await timeOfDisk(folder))
  if (staging.leftovers > 0) log.warn('removed recordings that a crash left behind', { files: staging.leftovers })
  const nextFile = (): WorkFile => {
    const path = staging.nextPath()
    return { path, drop: () => rm(path, { force: true }) }
  }
  return {
    nextFile,
    async withFile(use) {
      const file = nextFile()
      try {
        return await use(file.path)
      } finally {
        await file.drop()
      }
    },
  }
}

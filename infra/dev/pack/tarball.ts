import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { create } from 'tar'

import type { PackedFile } from './packed-file.ts'

/** npm gives every file this time; the same checkout then gives the same bytes. */
const packedAt = new Date('1985-10-26T08:15:00.000Z')

interface TarballOptions {
  readonly checkout: string
  readonly contents: readonly PackedFile[]
  readonly file: string
  /** From 1, which takes seconds, to 9. */
  readonly level: number
}

/** As `npm pack` writes one. npm has no hand in it: it would put every file of each package into it. */
export async function writeTarball({ checkout, contents, file, level }: TarballOptions): Promise<void> {
  const staged = await mkdtemp(join(tmpdir(), 'vaak-pack-'))
  try {
    for (const { path, text } of contents) {
      const place = join(staged, path)
      await mkdir(dirname(place), { recursive: true })
      await (text === undefined ? symlink(join(checkout, path), place) : writeFile(place, text))
    }
    const paths = contents.map(({ path }) => path).sort()
    const how = { portable: true, mtime: packedAt, follow: true, gzip: { level } }
    await create({ ...how, file, cwd: staged, prefix: 'package' }, paths)
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

import { mkdir } from 'node:fs/promises'

import { extract } from 'tar'

import type { ModelFile } from './model.ts'

export interface Unpacking {
  readonly tarball: string
  /** The folder inside the package whose files are wanted; empty for its top. */
  readonly root: string
  readonly files: readonly ModelFile[]
  readonly into: string
}

/** Takes the wanted regular files out of a package's tarball and nothing else, whatever else it may contain. */
export async function unpackFiles({ tarball, root, files, into }: Unpacking): Promise<void> {
  const prefix = root === '' ? 'package/' : `package/${root}/`
  const wanted = new Map(files.map((file) => [prefix + file.path, file.sizeBytes]))
  await mkdir(into, { recursive: true })
  await extract({
    file: tarball,
    cwd: into,
    strip: prefix.split('/').length - 1,
    strict: true,
    preservePaths: false,
    filter: (path, entry) => 'type' in entry && entry.type === 'File' && entry.size === wanted.get(path),
  })
}

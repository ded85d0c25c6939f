import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** A file of a backup while it is written. */
interface HashedFile {
  write(piece: Uint8Array): Promise<void>
  sizeBytes(): number
}

interface Written {
  readonly sizeBytes: number
  readonly sha256: string
}

/** What it holds are hashes of keys and the secrets that others are signed with. */
const fileMode = 0o600

/** Resolves when all that `write` wrote is on the disk. */
export async function writeHashed<Result extends object | void>(
  path: string,
  write: (file: HashedFile) => Promise<Result>,
): Promise<Result & Written> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(path, 'wx', fileMode)
  try {
    const result = await write({
      async write(piece) {
        await file.write(piece)
        hash.update(piece)
        sizeBytes += piece.length
      },
      sizeBytes: () => sizeBytes,
    })
    await file.sync()
    return Object.assign({ sizeBytes, sha256: hash.digest('hex') }, result)
  } finally {
    await file.close()
  }
}

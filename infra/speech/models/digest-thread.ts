import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

import { giveWayAsThread } from '../../process/give-way.ts'

/**
 * Hashes one whole file, which it reads itself: nobody else waits for this thread. Each file has one, so it loads nothing else:
 * with what pools of threads need it took longer to start than to hash.
 */
export interface DigestRequest {
  readonly path: string
  readonly algorithm: 'sha256' | 'sha512'
  readonly encoding: 'hex' | 'base64'
}

const readBytes = 1024 * 1024

const port = parentPort
if (!port) throw new Error('this module is the entry of a worker thread')
giveWayAsThread()
port.postMessage(digest(workerData as DigestRequest)) // as: digest.ts gives nothing else

function digest({ path, algorithm, encoding }: DigestRequest): string {
  const hash = createHash(algorithm)
  const piece = Buffer.allocUnsafe(readBytes)
  const file = openSync(path, 'r')
  try {
    for (let bytes = readSync(file, piece); bytes > 0; bytes = readSync(file, piece)) hash.update(piece.subarray(0, bytes))
    return hash.digest(encoding)
  } finally {
    closeSync(file)
  }
}

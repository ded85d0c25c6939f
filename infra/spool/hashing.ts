import { createHash } from 'node:crypto'

import { z } from 'zod'

import { retryable } from '../../actors/failure.ts'
import type { Hashing, RunningHash } from '../../actors/upload/ports.ts'
import { lazily } from '../speech/threads/lazily.ts'
import { openWorkerPool } from '../speech/threads/pool.ts'
import type { HashRequest } from './hash-thread.ts'

/** Given to the thread at a time. A recording that is smaller is hashed where it is: that takes less than others notice. */
const pieceBytes = 1024 * 1024
/** Between us and the thread: while it hashes one, the next ones arrive. */
const piecesMax = 6

interface OpenHashing extends Hashing {
  close(): Promise<void>
}

/**
 * Large recordings are hashed on a thread of their own. Processors without instructions for SHA-256 take four seconds for a gigabyte, and
 * an event loop that does it serves nobody meanwhile.
 */
export function openHashing(): OpenHashing {
  const thread = lazily(startThread)
  let lastId = 0
  return {
    begin: () => runningHash(() => thread.get(), ++lastId),
    close: () => thread.close(),
  }
}

type Part = Pick<HashRequest, 'id' | 'isFirst' | 'isLast'>

interface HashThread {
  /** Resolves when the bytes are copied, with what resolves when they are hashed: to the hash of all, when they are the last. */
  give(part: Part, bytes: readonly Uint8Array[]): Promise<{ readonly hashed: Promise<string> }>
  close(): Promise<void>
}

async function startThread(): Promise<HashThread> {
  const memory = new SharedArrayBuffer(pieceBytes * piecesMax)
  const shared = new Uint8Array(memory)
  const free = Array.from({ length: piecesMax }, (_, index) => index * pieceBytes)
  const waiting: ((start: number) => void)[] = []
  const pool = await openWorkerPool<HashRequest, string>({
    entry: new URL('./hash-thread.js', import.meta.url),
    workerData: { memory },
    size: 1,
    decode: (answer) => z.string().parse(answer),
  })

  function takePlace(): Promise<number> | number {
    return free.pop() ?? new Promise((resolve) => waiting.push(resolve))
  }

  function leavePlace(start: number): void {
    const next = waiting.shift()
    if (next) next(start)
    else free.push(start)
  }

  async function hash(request: HashRequest): Promise<string> {
    try {
      return await pool.run(request)
    } catch (error) {
      throw retryable('overloaded', 'The upload could not be taken in. Nothing was kept; try again shortly.', error)
    } finally {
      leavePlace(request.start)
    }
  }

  return {
    async give(part, bytes) {
      const start = await takePlace()
      let end = start
      for (const chunk of bytes) {
        shared.set(chunk, end)
        end += chunk.length
      }
      const hashed = hash({ ...part, start, end })
      hashed.catch(() => undefined) // awaited with the next piece; until then it must not count as unhandled
      return { hashed }
    },
    close: () => pool.close(),
  }
}

function runningHash(thread: () => Promise<HashThread>, id: number): RunningHash {
  let piece: Uint8Array[] = []
  let sizeBytes = 0
  let isFirst = true
  let hashed: Promise<string> = Promise.resolve('')

  async function give(isLast: boolean): Promise<void> {
    const part = { id, isFirst, isLast }
    const bytes = piece
    isFirst = false
    piece = []
    sizeBytes = 0
    const before = hashed
    ;({ hashed } = await (await thread()).give(part, bytes))
    await before
  }

  async function update(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0;) {
      if (sizeBytes === pieceBytes) await give(false)
      const fitting = rest.subarray(0, pieceBytes - sizeBytes)
      piece.push(fitting)
      sizeBytes += fitting.length
      rest = rest.subarray(fitting.length)
    }
  }

  return {
    update,
    async digest() {
      if (isFirst) return hashAtOnce(piece)
      await give(true)
      return hashed
    },
    drop() {
      if (isFirst) return
      piece = []
      give(true).catch(() => undefined) // whoever drops it has an error already
    },
  }
}

function hashAtOnce(piece: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const chunk of piece) hash.update(chunk)
  return hash.digest('hex')
}

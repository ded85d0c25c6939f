import { open } from 'node:fs/promises'

import { retryable } from '../../../actors/failure.ts'
import { createChildPool } from '../../process/child-pool.ts'
import { startDecoderProcess } from './decoder-process.ts'
import type { DecoderProcess, DecoderSeed } from './decoder-process.ts'
import { openRecordingSlot, slotMaxBytes } from './recording-slot.ts'

/** The decoders of a process, and how each gets its file. */
interface DecoderPool {
  /** A process that has the file, and nothing else of ours. */
  handOver(path: string, sizeBytes: number): Promise<DecoderProcess>
  /** Only a process that read a whole file without any trouble meets another one. */
  readonly release: (process: DecoderProcess, untroubled: boolean) => void
  /** Ends every one, also those at work. */
  close(): Promise<void>
}

export interface DecoderPoolLimits {
  readonly memoryBytes: number
  readonly processes: number
  /** Processes that wait for the next file, because a start takes about a fifth of a second of a core. */
  readonly idleProcesses: number
  readonly idleMs: number
  readonly filesPerProcess: number
  /** How far they give way; as threads do unless told. */
  readonly niceness?: number
}

export function openDecoderPool(limits: DecoderPoolLimits): DecoderPool {
  const pool = createChildPool<DecoderProcess, DecoderSeed>({
    start: (seed) => startDecoderProcess(limits, seed),
    end: (process) => process.discard(),
  })

  function start(seed: () => DecoderSeed): DecoderProcess {
    if (pool.size >= limits.processes)
      throw retryable('overloaded', `${limits.processes} files are being decoded at once, which is the limit.`)
    return pool.start(seed())
  }

  function startWithSlot(): DecoderProcess {
    return start(() => {
      const slot = openRecordingSlot()
      return { slot, descriptor: slot.descriptor, files: limits.filesPerProcess }
    })
  }

  async function handOver(path: string, sizeBytes: number): Promise<DecoderProcess> {
    if (sizeBytes > slotMaxBytes) return handDescriptor(path)
    const waiting = pool.takeWaiting()
    waiting?.wake()
    const process = waiting ?? startWithSlot()
    try {
      await process.slot?.fill(path)
      return process
    } catch {
      process.discard()
      return handDescriptor(path) // there is no room for a copy
    }
  }

  async function handDescriptor(path: string): Promise<DecoderProcess> {
    const file = await open(path)
    try {
      return start(() => ({ descriptor: file.fd, files: 1 }))
    } finally {
      await file.close()
    }
  }

  function release(process: DecoderProcess, untroubled: boolean): void {
    if (!untroubled || pool.waiting >= limits.idleProcesses || process.isSpent) return process.discard()
    // forgotten before it is killed: a process takes a while to die, and a file that came then would die with it
    process.sleep(limits.idleMs, () => pool.forget(process))
    pool.letWait(process)
  }

  return { handOver, release, close: () => pool.close() }
}

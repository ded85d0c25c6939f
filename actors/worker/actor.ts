import { start, stop } from 'nact'

import type { BatchCommand } from '../batch/protocol.ts'
import type { OpenBatch } from '../batch/state.ts'
import { tellBatch } from '../batch/tell.ts'
import type { BatchPorts } from '../batch/tell.ts'
import { orderOf } from '../chunk/order.ts'
import type { ChunkWork } from '../chunk/protocol.ts'
import { createQuarantine } from '../chunk/quarantine.ts'
import { runChunk } from '../chunk/run.ts'
import type { ChunkPorts } from '../chunk/run.ts'
import type { FileCommand } from '../file/protocol.ts'
import type { FileState } from '../file/state.ts'
import { runStep } from '../file/steps.ts'
import type { StepPorts } from '../file/steps.ts'
import { tellFile } from '../file/tell.ts'
import { fileKey } from '../ids.ts'
import type { FileRef } from '../ids.ts'
import type { NoticeWork } from '../notice/protocol.ts'
import { runNotice } from '../notice/run.ts'
import type { NoticePorts } from '../notice/run.ts'
import type { Delivered, FileRecords, FileWork } from '../ports.ts'
import type { RetryPolicy } from '../retry.ts'
import { startSweepActor } from '../sweep/actor.ts'
import { createSweeper } from '../sweep/sweep.ts'
import { createTurns } from '../turns.ts'
import { isUploadThere } from '../upload/is-there.ts'
import { measureThroughput } from './throughput.ts'

export type WorkerPorts = BatchPorts &
  NoticePorts &
  Omit<StepPorts, 'isWanted' | 'quarantine'> &
  Omit<ChunkPorts, 'orderOf' | 'heard' | 'quarantine'> & { readonly files: FileRecords }

export interface WorkerOptions {
  readonly fileWindow: number
  readonly batchWindow: number
  readonly fileRetry: RetryPolicy
  readonly chunkRetry: RetryPolicy
  readonly noticeRetry: RetryPolicy
  readonly deathsMax: number
  readonly saveAudio: boolean
  readonly staleMs: number
  readonly sweepMs: number
}

/** What a worker does with what the queues give it. Each resolves when it may be acknowledged. */
export interface WorkerActor {
  step(delivered: Delivered<FileWork>): Promise<void>
  chunk(delivered: Delivered<ChunkWork>): Promise<void>
  notice(delivered: Delivered<NoticeWork>): Promise<void>
  tellFile(ref: FileRef, commands: readonly FileCommand[]): Promise<void>
  tellBatch(at: OpenBatch, commands: readonly BatchCommand[]): Promise<void>
  /** Begins to look after what was forgotten. */
  keepSweeping(): void
  /** Seconds of sound heard in a second of work; nothing until something was heard. */
  heardPerSecond(): number | undefined
  stop(): Promise<void>
}

/** How often a chunk's message may vanish: it never should, so a few times is a lot. */
const lostMax = 5
/** Longer than any submission takes. */
const orphanMs = 10 * 60_000

export function startWorkerActor(ports: WorkerPorts, options: WorkerOptions): WorkerActor {
  const system = start()
  const { log, clock } = ports
  const turns = {
    files: createTurns(system, 'files', log),
    batches: createTurns(system, 'batches', log),
    chunks: createTurns(system, 'chunks', log),
  }
  const throughput = measureThroughput(clock)
  const quarantine = createQuarantine()
  const { deathsMax, saveAudio } = options
  const file = {
    ports: { ...ports, quarantine, isWanted: (run: FileState) => isUploadThere(ports.files, run) },
    options: { window: options.fileWindow, lostMax, saveAudio, deathsMax, retry: options.fileRetry },
  }
  const batch = { ports, options: { window: options.batchWindow } }
  const chunk = {
    ports: {
      ...ports,
      quarantine,
      orderOf: (work: ChunkWork) => orderOf(ports.runs, work),
      heard: ({ audioSeconds }: { audioSeconds: number }) => throughput.heard(audioSeconds),
    },
    options: { deathsMax, saveAudio, retry: options.chunkRetry },
  }
  const sweepers: { stop(): Promise<void> }[] = []

  return {
    step: (delivered) => runStep(file, delivered),
    chunk: (delivered) => {
      const { work } = delivered
      return turns.chunks.take(`${fileKey(work)}.${work.chunk}`, async () => {
        const end = throughput.begin()
        await runChunk(chunk, delivered).finally(end)
      })
    },
    notice: (delivered) => runNotice({ ports, options: { retry: options.noticeRetry } }, delivered),
    tellFile: (ref, commands) => turns.files.take(fileKey(ref), async () => void (await tellFile(file, ref, commands))),
    tellBatch: (at, commands) => turns.batches.take(at.batchId, () => tellBatch(batch, at, commands)),
    keepSweeping() {
      const limits = { staleMs: options.staleMs, orphanMs }
      const sweeper = createSweeper(ports, limits)
      sweepers.push(startSweepActor(system, { everyMs: options.sweepMs, log, sweep: () => sweeper.sweep() }))
    },
    heardPerSecond: () => throughput.perSecond(),
    async stop() {
      await Promise.all(sweepers.map((one) => one.stop()))
      stop(system)
    },
  }
}

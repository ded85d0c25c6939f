import { retryDelayMs } from '../attempt/retry.ts'
import { unreachable } from '../decision.ts'
import { FailureError, isRetryable, sentenceOf } from '../failure.ts'
import type { Clock, Log } from '../ports.ts'
import { uploadedFileActor } from './actor.ts'
import type { SpooledFile } from './actor.ts'
import { offerCompleted } from './contents.ts'
import type { SpooledUpload } from './ports.ts'
import type { Owed, QueueCommand, QueueEffect } from './queue.ts'
import { forgetUpload } from './record.ts'
import type { UploadPorts } from './record.ts'
import type { UnderWay } from './under-way.ts'
import { withdrawUpload } from './withdraw.ts'
import type { WithdrawPorts } from './withdraw.ts'

export interface TransferPorts extends UploadPorts, WithdrawPorts {
  readonly clock: Clock
  readonly log: Log
  random(): number
}

export interface TransferOptions {
  readonly giveUpMs: number
  readonly firstRetryMs: number
  readonly lastRetryMs: number
}

interface TransferParts {
  readonly ports: TransferPorts
  readonly options: TransferOptions
  readonly underWay: UnderWay
  readonly tell: (command: QueueCommand) => void
}

/** Begins what the queue owes, and tells it what came of that. */
export function beginOwed(parts: TransferParts, effect: QueueEffect): void {
  const { underWay } = parts
  switch (effect.type) {
    case 'Run':
      return underWay.track(run(parts, effect.owed))
    case 'RetryLater':
      return retryLater(parts, effect.owed, effect.error)
    case 'Finish':
      return underWay.track(finish(parts, effect.upload, 1))
    default:
      return unreachable(effect)
  }
}

async function run(parts: TransferParts, chosen: Owed): Promise<void> {
  const triedSinceMs = chosen.triedSinceMs ?? parts.ports.clock.elapsedMs()
  const owed = { ...chosen, triedSinceMs }
  try {
    await perform(parts, owed)
    parts.tell({ type: 'Done', owed })
  } catch (error) {
    parts.tell({ type: 'Failed', owed, error })
  }
}

async function perform(
  { ports, options, tell }: TransferParts,
  { upload, facts, triedSinceMs }: Owed & { readonly triedSinceMs: number },
): Promise<void> {
  if (facts) return transferOrGiveUp(ports, { upload, facts }, { triedSinceMs, giveUpMs: options.giveUpMs })
  if ((await withdrawUpload(ports, upload)) === 'stays') tell({ type: 'TakeUp', upload })
}

function retryLater(parts: TransferParts, failed: Owed, error: unknown): void {
  const { upload, facts, attempt } = failed
  const { uploadId } = upload.manifest
  parts.ports.log.warn('upload step failed', { uploadId, fileId: facts?.fileId, attempt, error })
  const owed: Owed = { ...failed, attempt: attempt + 1 }
  parts.underWay.later(pauseAfter(parts, attempt), () => parts.tell({ type: 'Try', owed }))
}

function pauseAfter({ ports, options }: TransferParts, attempt: number): number {
  return retryDelayMs(attempt, { firstMs: options.firstRetryMs, lastMs: options.lastRetryMs, jitter: ports.random() })
}

async function finish(parts: TransferParts, upload: SpooledUpload, attempt: number): Promise<void> {
  const { ports, underWay } = parts
  try {
    if (upload.isStored && upload.phase === 'recorded')
      await Promise.all(upload.manifest.files.map((file) => offerCompleted(ports, file)))
    await forgetUpload(ports, upload)
  } catch (error) {
    ports.log.warn('upload could not be forgotten', { uploadId: upload.manifest.uploadId, attempt, error })
    underWay.later(pauseAfter(parts, attempt), () => underWay.track(finish(parts, upload, attempt + 1)))
  }
}

async function transferOrGiveUp(
  ports: TransferPorts,
  spooled: SpooledFile,
  { triedSinceMs, giveUpMs }: { readonly triedSinceMs: number; readonly giveUpMs: number },
): Promise<void> {
  const file = uploadedFileActor(ports)
  try {
    await file.tell(spooled, [{ type: 'Begin' }])
  } catch (error) {
    const reason = reasonToGiveUp(error, { triedForMs: ports.clock.elapsedMs() - triedSinceMs, giveUpMs })
    if (reason === undefined) throw error
    await file.tell(spooled, [{ type: 'GiveUp', reason }])
  }
}

function reasonToGiveUp(
  error: unknown,
  { triedForMs, giveUpMs }: { readonly triedForMs: number; readonly giveUpMs: number },
): string | undefined {
  if (!(error instanceof FailureError)) return undefined
  if (!isRetryable(error)) return sentenceOf(error.failure)
  if (error.failure.code === 'broker_unavailable' || triedForMs < giveUpMs) return undefined
  return `Storage did not take the file for ${Math.round(giveUpMs / 1000)} seconds; upload it again.`
}

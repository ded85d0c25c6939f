import type { FileId } from '../../actors/ids.ts'
import type { TranscribeSettings } from '../../actors/run/state.ts'
import type { FileResult } from '../../actors/transcript/state.ts'
import type { PlaceShares } from '../places.ts'
import type { Request } from '../route.ts'
import type { ReceiveLimits, ReceivePorts } from './receive.ts'
import { transcribeOne } from './transcribe.ts'
import type { TranscribePorts, WantedTranscript } from './transcribe.ts'
import { waitFor } from './wait.ts'

export interface CompatiblePorts extends ReceivePorts, TranscribePorts {
  readonly stopping: AbortSignal
}

export interface CompatibleLimits extends ReceiveLimits {
  readonly places: PlaceShares
  readonly deadlineMs: number
  /** Whether recordings and transcripts stay when they were answered. */
  readonly keep: boolean
}

interface WaitedFor {
  readonly request: Request
  readonly fileId: FileId
  readonly settings: TranscribeSettings
  readonly speechInformation: boolean
  /** To be called once, when nothing waits any more. */
  readonly leave: () => void
}

interface Waiting {
  readonly wanted: WantedTranscript
  /** Ends it, once; what nobody was told of, or is not to be kept, is taken back. */
  readonly done: (isTold: boolean) => Promise<void>
}

/** One recording whose sender waits for what becomes of it. */
export function beginWaiting(ports: CompatiblePorts, limits: CompatibleLimits, asked: WaitedFor): Waiting {
  const { request, fileId, settings, speechInformation, leave } = asked
  const { owner } = request.principal
  const waiting = waitFor(request.raw.response, { stopping: ports.stopping, deadlineMs: limits.deadlineMs })
  const { signal } = waiting
  const wanted = { owner, fileId, batchId: ports.ids.nextBatchId(), settings, speechInformation, signal }
  let isDone = false
  return {
    wanted,
    async done(isTold) {
      if (isDone) return
      isDone = true
      waiting.close()
      leave()
      if (!isTold || !limits.keep) await takeBack(ports, wanted)
    },
  }
}

/** All of it, when it is there. */
export async function waitForAll(ports: CompatiblePorts, { wanted, done }: Waiting): Promise<FileResult> {
  let isTold = false
  try {
    const texts = transcribeOne(ports, wanted)
    for (;;) {
      const next = await texts.next()
      if (!next.done) continue
      isTold = true
      return next.value
    }
  } finally {
    await done(isTold)
  }
}

/** Ends the work on it, wherever it is. Only its promise is waited for: nobody is kept from their answer by its doing. */
async function takeBack(
  ports: CompatiblePorts,
  { owner, fileId, batchId }: Pick<WantedTranscript, 'owner' | 'fileId' | 'batchId'>,
): Promise<void> {
  try {
    await ports.uploads.purgeLater({ owner, fileIds: [fileId], batchId, withFiles: true })
  } catch (error) {
    ports.log.warn('a recording was answered and not removed', { fileId, error })
  }
}

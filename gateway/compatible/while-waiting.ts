import type { z } from 'zod'

import type { FileId, VocabularyId } from '../../actors/ids.ts'
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

/** How a route says no that takes a recording and waits for what comes of it. */
export function refusalsWhileWaiting<Schema extends z.ZodType>(schema: Schema) {
  const problem = (description: string) => ({ description, schema })
  return {
    400: problem('The form is wrong, or the file is no audio.'),
    408: problem('The client sent too slowly.'),
    409: problem('The recording was deleted meanwhile.'),
    413: problem('The recording is larger or longer than the limit.'),
    415: problem('The recording cannot be decoded.'),
    429: problem('Your quota is used up, or you have too many requests waiting.'),
    500: problem('Nothing came of it, for a reason of ours.'),
    503: problem('The queue is full, it took too long, or a dependency is away; see Retry-After.'),
  }
}

interface WaitedFor {
  readonly request: Request
  readonly fileId: FileId
  readonly settings: TranscribeSettings
  readonly vocabularyId?: VocabularyId | undefined
  readonly speechInformation: boolean
  /** When nothing waits any more; a second time does nothing. */
  readonly leave: () => void
}

interface Waiting {
  readonly wanted: WantedTranscript
  /** Ends it, once; what nobody was told of, or is not to be kept, is taken back. */
  readonly done: (isTold: boolean) => Promise<void>
}

/** One recording whose sender waits for what becomes of it. */
export function beginWaiting(ports: CompatiblePorts, limits: CompatibleLimits, asked: WaitedFor): Waiting {
  const { request, fileId, settings, vocabularyId, speechInformation, leave } = asked
  const { owner } = request.principal
  const waiting = waitFor(request.raw.response, { stopping: ports.stopping, deadlineMs: limits.deadlineMs })
  const { signal } = waiting
  const wanted = {
    owner,
    fileId,
    batchId: ports.ids.nextBatchId(),
    settings,
    ...(vocabularyId !== undefined && { vocabularyId }),
    speechInformation,
    signal,
  }
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

/** All of it, when it is there, and what is made of it while its sender still waits. */
export async function waitForAll(
  ports: CompatiblePorts,
  { wanted, done }: Waiting,
  finish = async (result: FileResult): Promise<FileResult> => result,
): Promise<FileResult> {
  let isTold = false
  try {
    const texts = transcribeOne(ports, wanted)
    for (;;) {
      const next = await texts.next()
      if (!next.done) continue
      const finished = await finish(next.value)
      isTold = true
      return finished
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

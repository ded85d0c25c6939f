import type { Listener } from '../../../actors/conversation/ports.ts'
import { FailureError, sentenceOf } from '../../../actors/failure.ts'
import type { Clock, Log } from '../../../actors/ports.ts'
import type { TranscribeEffect, TranscriptionEvent } from '../protocol.ts'
import type { Transcribing } from '../settings/settings.ts'
import { atRecogniserRate } from './recogniser-rate.ts'

interface TranscriptionPorts {
  readonly listener: Listener
  readonly clock: Clock
  readonly log: Log
  readonly tell: (event: TranscriptionEvent) => void
}

interface Running {
  readonly stopping: AbortController
  readonly known: Promise<void>
}

/** Has what came in transcribed, several turns at once, and tells what became of it. */
export class TurnTranscription {
  readonly #ports: TranscriptionPorts
  readonly #running = new Map<number, Running>()

  constructor(ports: TranscriptionPorts) {
    this.#ports = ports
  }

  start(job: TranscribeEffect): void {
    const stopping = new AbortController()
    const known = transcribeOne(job, this.#ports, stopping.signal).finally(() => this.#running.delete(job.jobId))
    this.#running.set(job.jobId, { stopping, known })
    known.catch(() => undefined) // told as an event; who waits for it gets it as well
  }

  /** Resolves when everything that came in so far is known; rejects with the failure of one of them. */
  async known(): Promise<void> {
    await Promise.all(Array.from(this.#running.values(), (job) => job.known))
  }

  stop(jobId: number): void {
    this.#running.get(jobId)?.stopping.abort()
  }

  stopAll(): void {
    for (const { stopping } of this.#running.values()) stopping.abort()
  }
}

async function transcribeOne(job: TranscribeEffect, ports: TranscriptionPorts, signal: AbortSignal): Promise<void> {
  const { jobId, transcription } = job
  const { tell, clock } = ports
  const from = clock.elapsedMs()
  const piece = (text: string): void => void (signal.aborted || tell({ type: 'PieceTranscribed', jobId, text }))
  try {
    const turn = await ports.listener.transcribe(await atRecogniserRate(job.audio), {
      ...transcribeOptions(transcription),
      signal,
      ...(transcription ? { tell: piece } : {}),
    })
    if (signal.aborted) return tell({ type: 'TranscriptionStopped', jobId })
    tell({ type: 'TurnTranscribed', jobId, turn, tookMs: clock.elapsedMs() - from })
  } catch (error) {
    if (signal.aborted) return tell({ type: 'TranscriptionStopped', jobId })
    tell({ type: 'TranscriptionFailed', jobId, ...reasonOf(error, job, ports.log) })
    throw error
  }
}

function transcribeOptions(transcription: Transcribing | null) {
  const language = transcription?.language ?? onlyOne(transcription?.languages)
  return {
    ...(language === undefined ? {} : { language }),
    ...(transcription?.prompt === undefined ? {} : { prompt: transcription.prompt }),
    ...(transcription?.keywords === undefined ? {} : { keywords: transcription.keywords }),
  }
}

function onlyOne(languages: readonly string[] | undefined): string | undefined {
  return languages?.length === 1 ? languages[0] : undefined
}

function reasonOf(error: unknown, { transcription }: TranscribeEffect, log: Log): { code: string; message: string } {
  if (error instanceof FailureError) return { code: error.failure.code, message: sentenceOf(error.failure) }
  // who is told nothing here is told by the response that waits for it
  if (transcription) log.error('transcription failed', { error })
  return { code: 'internal_error', message: 'The sound could not be heard for a reason that was logged.' }
}

import type { Listener, TranscribedTurn } from '../../../actors/conversation/ports.ts'
import { FailureError, sentenceOf } from '../../../actors/failure.ts'
import type { Clock, Log } from '../../../actors/ports.ts'
import type { FollowEffect, TranscribeEffect, TranscriptionEvent } from '../protocol.ts'
import { followTurn } from './followed-turn.ts'
import type { TurnSource, TurnUnderWay } from './followed-turn.ts'
import { transcribeOptions } from './transcribe-options.ts'
import { readWhole } from './turn-reader.ts'

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

/** Has what came in transcribed, several turns at once and one while it is spoken, and tells what became of it. */
export class TurnTranscription {
  readonly #ports: TranscriptionPorts
  readonly #running = new Map<number, Running>()
  #followed: TurnUnderWay | undefined

  constructor(ports: TranscriptionPorts) {
    this.#ports = ports
  }

  follow({ itemId, transcription, judgesPauses, isAnswered }: FollowEffect, source: TurnSource): void {
    this.unfollow()
    this.#followed = followTurn(this.#ports.listener, {
      itemId,
      source,
      transcription,
      judgesPauses,
      isAnswered,
      tell: (text) => this.#ports.tell({ type: 'PieceFollowed', itemId, text }),
    })
  }

  /** Of the turn that is being spoken. */
  came(samples: number, quiet: number): void {
    this.#followed?.came(samples, quiet)
  }

  /** There is no such turn any more, or nobody wants its words. */
  unfollow(): void {
    this.#followed?.close()
    this.#followed = undefined
  }

  start(job: TranscribeEffect): void {
    const stopping = new AbortController()
    const transcribed = transcribeOne(job, this.#ports, { signal: stopping.signal, followed: this.#taken(job) })
    const known = transcribed.finally(() => this.#running.delete(job.jobId))
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
    this.unfollow()
    for (const { stopping } of this.#running.values()) stopping.abort()
  }

  #taken({ itemId }: TranscribeEffect): TurnUnderWay | undefined {
    if (this.#followed?.itemId !== itemId) return undefined
    const followed = this.#followed
    this.#followed = undefined
    return followed
  }
}

interface TranscribeOneOptions {
  readonly signal: AbortSignal
  readonly followed: TurnUnderWay | undefined
}

async function transcribeOne(
  job: TranscribeEffect,
  ports: TranscriptionPorts,
  { signal, followed }: TranscribeOneOptions,
): Promise<void> {
  const { jobId } = job
  const { tell, clock } = ports
  const from = clock.elapsedMs()
  const piece = (text: string): void => void (signal.aborted || tell({ type: 'PieceTranscribed', jobId, text }))
  try {
    const turn = await (followed
      ? finishTurn(followed, { job, signal, piece })
      : transcribeWhole(ports.listener, { job, signal, piece }))
    if (signal.aborted) return tell({ type: 'TranscriptionStopped', jobId })
    tell({ type: 'TurnTranscribed', jobId, turn, tookMs: clock.elapsedMs() - from })
  } catch (error) {
    if (signal.aborted) return tell({ type: 'TranscriptionStopped', jobId })
    tell({ type: 'TranscriptionFailed', jobId, ...reasonOf(error, job, ports.log) })
    throw error
  }
}

interface Transcribed {
  readonly job: TranscribeEffect
  readonly signal: AbortSignal
  readonly piece: (text: string) => void
}

async function transcribeWhole(listener: Listener, { job, signal, piece }: Transcribed): Promise<TranscribedTurn> {
  const { audio, transcription } = job
  return listener.transcribe(await readWhole(audio), {
    ...transcribeOptions(transcription),
    signal,
    ...(transcription ? { tell: piece } : {}),
  })
}

async function finishTurn(followed: TurnUnderWay, { job, signal, piece }: Transcribed): Promise<TranscribedTurn> {
  const close = (): void => followed.close()
  signal.addEventListener('abort', close)
  try {
    return await followed.finish(job.audio, piece)
  } finally {
    signal.removeEventListener('abort', close)
  }
}

function reasonOf(error: unknown, { transcription }: TranscribeEffect, log: Log): { code: string; message: string } {
  if (error instanceof FailureError) return { code: error.failure.code, message: sentenceOf(error.failure) }
  // who is told nothing here is told by the response that waits for it
  if (transcription) log.error('transcription failed', { error })
  return { code: 'internal_error', message: 'The sound could not be heard for a reason that was logged.' }
}

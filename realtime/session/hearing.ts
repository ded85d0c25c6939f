import type { TranscribedTurn, Listener } from '../../actors/conversation/ports.ts'
import { FailureError, sentenceOf } from '../../actors/failure.ts'
import type { Clock, Log } from '../../actors/ports.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import { atHeardRate } from './heard-rate.ts'
import type { SessionLimits } from './limits.ts'
import type { Settings, Transcribing } from './settings.ts'
import type { InputAudio } from './sound-in.ts'

/** Has what came in heard, several turns at once, and tells the transcription when the session has one. */
export interface TurnTranscription {
  /** Turns that are being heard. */
  readonly waiting: number
  /** At once where a transcription is wanted, otherwise when somebody first asks what was said. */
  hear(audio: AudioToTranscribe): void
  /** Resolves when everything that came in so far is known; rejects with the failure of one of them. */
  readonly known: () => Promise<void>
  forget(itemId: string): void
  stop(): void
}

interface AudioToTranscribe {
  readonly itemId: string
  readonly contentIndex: number
  readonly audio: InputAudio
  heardIn(ms: number): void
}

interface HearingOf {
  readonly listener: Listener
  readonly clock: Clock
  readonly limits: SessionLimits
  readonly log: Log
  settings(): Settings
  readonly emit: (event: ServerEvent) => void
  /** Before the transcription is told. */
  heard(itemId: string, contentIndex: number, turn: TranscribedTurn): void
  /** Nothing is being heard any more. */
  idle(): void
}

interface Waiting {
  readonly itemId: string
  readonly stopping: AbortController
  readonly known: Promise<void>
}

export function createHearing(of: HearingOf): TurnTranscription {
  const waiting = new Set<Waiting>()
  let unheard: readonly AudioToTranscribe[] = []

  function begin(audio: AudioToTranscribe): void {
    const stopping = new AbortController()
    const known = transcribeOne(of, audio, stopping.signal).finally(() => {
      waiting.delete(entry)
      if (waiting.size === 0 && !stopping.signal.aborted) of.idle()
    })
    const entry: Waiting = { itemId: audio.itemId, stopping, known }
    waiting.add(entry)
    known.catch(() => undefined) // told as an event; who waits for it gets it as well
  }

  return {
    get waiting() {
      return waiting.size
    },
    hear(audio) {
      if (of.settings().transcription) begin(audio)
      else unheard = newest([...unheard, audio], of.limits.unheardSeconds)
    },
    async known() {
      const asked = unheard
      unheard = []
      for (const audio of asked) begin(audio)
      await Promise.all(Array.from(waiting, (entry) => entry.known))
    },
    forget(itemId) {
      unheard = unheard.filter((audio) => audio.itemId !== itemId)
      for (const entry of waiting) if (entry.itemId === itemId) entry.stopping.abort()
    },
    stop() {
      unheard = []
      for (const entry of waiting) entry.stopping.abort()
    },
  }
}

/** The oldest leave first; the newest stays, however long it is. */
function newest(sounds: readonly AudioToTranscribe[], secondsMax: number): readonly AudioToTranscribe[] {
  let seconds = 0
  const first = sounds.findLastIndex(({ audio: { pcm, rate } }) => (seconds += pcm.length / rate) > secondsMax)
  return sounds.slice(Math.min(first + 1, sounds.length - 1))
}

async function transcribeOne(of: HearingOf, audio: AudioToTranscribe, signal: AbortSignal): Promise<void> {
  const { transcription } = of.settings()
  const tell = transcription ? teller(of, audio) : undefined
  const from = of.clock.elapsedMs()
  try {
    const turn = await of.listener.transcribe(await atHeardRate(audio.audio), {
      ...mannerOf(transcription),
      signal,
      ...(tell ? { tell: (piece: string) => void (signal.aborted || tell.piece(piece)) } : {}),
    })
    if (signal.aborted) return
    audio.heardIn(of.clock.elapsedMs() - from)
    of.heard(audio.itemId, audio.contentIndex, turn)
    tell?.whole(turn)
  } catch (error) {
    if (signal.aborted) return
    tell?.failed(error)
    throw error
  }
}

function mannerOf(transcription: Transcribing | null) {
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

function teller({ emit, log }: HearingOf, { itemId, contentIndex }: AudioToTranscribe) {
  const content = { item_id: itemId, content_index: contentIndex }
  let told = false
  const piece = (delta: string): void => {
    told = true
    emit({ type: 'conversation.item.input_audio_transcription.delta', fields: { ...content, delta } })
  }
  return {
    piece,
    whole({ text, seconds, languages }: TranscribedTurn): void {
      if (!told && text !== '') piece(text)
      emit({
        type: 'conversation.item.input_audio_transcription.completed',
        fields: {
          ...content,
          transcript: text,
          usage: { type: 'duration', seconds },
          ...(languages.length > 0 ? { languages: languages.map((code) => ({ code })) } : {}),
        },
      })
    },
    failed(error: unknown): void {
      const failure = error instanceof FailureError ? error.failure : undefined
      if (!failure) log.error('hearing failed', { error })
      emit({
        type: 'conversation.item.input_audio_transcription.failed',
        fields: {
          ...content,
          error: {
            type: 'transcription_error',
            code: failure?.code ?? 'internal_error',
            message: failure ? sentenceOf(failure) : 'The sound could not be heard for a reason that was logged.',
          },
        },
      })
    },
  }
}

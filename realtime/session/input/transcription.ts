import type { TranscribedTurn, Listener } from '../../../actors/conversation/ports.ts'
import { FailureError, sentenceOf } from '../../../actors/failure.ts'
import type { Clock, Log } from '../../../actors/ports.ts'
import type { ServerEvent } from '../../wire/server-events.ts'
import { clipSeconds } from '../audio-clip.ts'
import type { AudioClip } from '../audio-clip.ts'
import { atRecogniserRate } from './recogniser-rate.ts'
import type { SessionLimits } from '../limits.ts'
import type { Settings, Transcribing } from '../settings/settings.ts'

/** Has what came in transcribed, several turns at once, and tells the transcription when the session has one. */
export interface TurnTranscription {
  /** Turns that are being transcribed. */
  readonly waiting: number
  /** At once where a transcription is wanted, otherwise when somebody first asks what was said. */
  transcribe(audio: AudioToTranscribe): void
  /** Resolves when everything that came in so far is known; rejects with the failure of one of them. */
  readonly known: () => Promise<void>
  forget(itemId: string): void
  stop(): void
}

interface AudioToTranscribe {
  readonly itemId: string
  readonly contentIndex: number
  readonly audio: AudioClip
  transcribedIn(ms: number): void
}

interface TranscriptionPorts {
  readonly listener: Listener
  readonly clock: Clock
  readonly limits: SessionLimits
  readonly log: Log
  settings(): Settings
  readonly emit: (event: ServerEvent) => void
  /** Before the transcription is told. */
  transcribed(itemId: string, contentIndex: number, turn: TranscribedTurn): void
  /** Nothing is being transcribed any more. */
  idle(): void
}

interface Waiting {
  readonly itemId: string
  readonly stopping: AbortController
  readonly known: Promise<void>
}

export function createTranscription(ports: TranscriptionPorts): TurnTranscription {
  const waiting = new Set<Waiting>()
  let untranscribed: readonly AudioToTranscribe[] = []

  function begin(audio: AudioToTranscribe): void {
    const stopping = new AbortController()
    const known = transcribeOne(ports, audio, stopping.signal).finally(() => {
      waiting.delete(entry)
      if (waiting.size === 0 && !stopping.signal.aborted) ports.idle()
    })
    const entry: Waiting = { itemId: audio.itemId, stopping, known }
    waiting.add(entry)
    known.catch(() => undefined) // told as an event; who waits for it gets it as well
  }

  return {
    get waiting() {
      return waiting.size
    },
    transcribe(audio) {
      if (ports.settings().transcription) begin(audio)
      else untranscribed = newest([...untranscribed, audio], ports.limits.untranscribedSeconds)
    },
    async known() {
      const asked = untranscribed
      untranscribed = []
      for (const audio of asked) begin(audio)
      await Promise.all(Array.from(waiting, (entry) => entry.known))
    },
    forget(itemId) {
      untranscribed = untranscribed.filter((audio) => audio.itemId !== itemId)
      for (const entry of waiting) if (entry.itemId === itemId) entry.stopping.abort()
    },
    stop() {
      untranscribed = []
      for (const entry of waiting) entry.stopping.abort()
    },
  }
}

/** The oldest leave first; the newest stays, however long it is. */
function newest(clips: readonly AudioToTranscribe[], secondsMax: number): readonly AudioToTranscribe[] {
  let seconds = 0
  const first = clips.findLastIndex(({ audio }) => (seconds += clipSeconds(audio)) > secondsMax)
  return clips.slice(Math.min(first + 1, clips.length - 1))
}

async function transcribeOne(ports: TranscriptionPorts, audio: AudioToTranscribe, signal: AbortSignal): Promise<void> {
  const { transcription } = ports.settings()
  const tell = transcription ? teller(ports, audio) : undefined
  const from = ports.clock.elapsedMs()
  try {
    const turn = await ports.listener.transcribe(await atRecogniserRate(audio.audio), {
      ...transcribeOptions(transcription),
      signal,
      ...(tell ? { tell: (piece: string) => void (signal.aborted || tell.piece(piece)) } : {}),
    })
    if (signal.aborted) return
    audio.transcribedIn(ports.clock.elapsedMs() - from)
    ports.transcribed(audio.itemId, audio.contentIndex, turn)
    tell?.whole(turn)
  } catch (error) {
    if (signal.aborted) return
    tell?.failed(error)
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

function teller({ emit, log }: TranscriptionPorts, { itemId, contentIndex }: AudioToTranscribe) {
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
      if (!failure) log.error('transcription failed', { error })
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

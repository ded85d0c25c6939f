import type { RecordingHints, SessionTurn } from '../../actors/session-recording/ports.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import type { AudioClip } from './audio-clip.ts'
import { decodeClip } from './input/audio-in.ts'
import { transcribeOptions } from './input/transcribe-options.ts'
import { findItem } from './items/conversation.ts'
import { itemText } from './items/items.ts'
import type { ContentPart } from './items/items.ts'
import { playedText } from './items/spoken.ts'
import type { SessionPorts, SessionRecorder } from './ports.ts'
import type { SessionEvent } from './protocol.ts'
import { RecordedTurns } from './recorded-turns.ts'
import type { Settings } from './settings/settings.ts'
import { responseUnderWay } from './state.ts'
import type { SessionState } from './state.ts'

interface RecordingPorts {
  readonly ports: Pick<SessionPorts, 'recordings' | 'keep'>
  readonly state: () => SessionState
  readonly tell: (event: SessionEvent) => void
}

/** Where what came in lies on the recording, from some place in the input on. */
interface InputRun {
  readonly inputMs: number
  readonly recordedMs: number
}

/** A turn begins a few seconds back at the most. */
const runsMax = 64

/** Watches what a session hears, says and plays, and has it recorded while its owner keeps it. */
export class SessionRecording {
  readonly #ports: RecordingPorts
  #recorder: SessionRecorder | undefined
  #fileId: string | undefined
  #turns = new RecordedTurns()
  #runs: InputRun[] = []
  #heardToMs = 0
  /** Where the last turn ended: one that a client ends by hand begins there. */
  #turnsEndMs = 0

  constructor(ports: RecordingPorts) {
    this.#ports = ports
    this.applySettings(ports.state().settings)
  }

  applySettings({ recording, callbackUrl }: Settings): void {
    if (recording?.fileId === this.#fileId) return
    void this.#finish(true)
    const { recordings } = this.#ports.ports
    if (!recording || !recordings) return
    this.#fileId = recording.fileId
    this.#turns = new RecordedTurns()
    this.#runs = []
    this.#turnsEndMs = 0
    this.#recorder = recordings.open({
      sessionId: this.#ports.state().about.id,
      recording,
      callbackUrl,
      turns: (isLast) => this.#takeTurns(isLast),
      hints: () => hintsIn(this.#ports.state().settings),
      stopped: (reason) => {
        void this.#finish(true)
        this.#ports.tell({ type: 'RecordingStopped', reason })
      },
      hindered: (obstacle) => this.#ports.tell({ type: 'RecordingHindered', obstacle }),
    })
  }

  heard(audio: AudioClip, inputMs: number): void {
    const span = this.#recorder?.heard(audio)
    if (!span) return
    const run = this.#runs.at(-1)
    const follows = run && Math.abs(span.startMs - run.recordedMs - (inputMs - run.inputMs)) < 1
    if (!follows) this.#runs.push({ inputMs, recordedMs: span.startMs })
    if (this.#runs.length > runsMax) this.#runs.shift()
    this.#heardToMs = span.endMs
  }

  /** What the client is told says all that has to be known of turns. */
  told(event: ServerEvent): void {
    if (!this.#recorder) return
    if (event.type === 'input_audio_buffer.speech_started') {
      const startMs = this.#recordedAt(event.fields.audio_start_ms)
      this.#turns.place(event.fields.item_id, 'user', { startMs, endMs: startMs })
    } else if (event.type === 'input_audio_buffer.speech_stopped')
      this.#endTurn(event.fields.item_id, this.#recordedAt(event.fields.audio_end_ms))
    else if (event.type === 'input_audio_buffer.committed') this.#committed(event.fields.item_id)
    else if (event.type === 'response.output_audio.delta') this.#play(this.#recorder, event.fields)
  }

  stopPlaying(): void {
    if (this.#recorder) this.#turns.cutAnswers(this.#recorder.stopPlaying())
  }

  /** The client says how much of an answer it has played. */
  cutAnswer(itemId: string, playedMs: number): void {
    const span = this.#turns.find(itemId)
    if (this.#recorder && span) this.#turns.cutAnswers(this.#recorder.stopPlaying(span.startMs + playedMs))
  }

  /** `isKept`: another server may go on with the session, and with its recording. */
  leave(isKept: boolean): void {
    void this.#finish(!isKept || this.#ports.ports.keep === undefined)
  }

  #finish(isEnded: boolean): Promise<void> | undefined {
    const recorder = this.#recorder
    this.#recorder = undefined
    this.#fileId = undefined
    return recorder?.finish(isEnded)
  }

  #play(recorder: SessionRecorder, fields: Readonly<Record<'response_id' | 'item_id' | 'delta', string>>): void {
    const response = responseUnderWay(this.#ports.state(), fields.response_id)
    // nobody says when what is outside the conversation is played, or whether it is
    if (!response?.inConversation) return
    const clip = decodeClip(fields.delta, response.settings.outputFormat)
    if (clip) this.#turns.place(fields.item_id, 'assistant', recorder.played(clip))
  }

  #committed(itemId: string): void {
    if (!this.#turns.find(itemId)) {
      const startMs = Math.max(this.#turnsEndMs, this.#runs[0]?.recordedMs ?? 0)
      this.#turns.place(itemId, 'user', { startMs, endMs: startMs })
      this.#endTurn(itemId, this.#heardToMs)
    } else this.#turnsEndMs = this.#heardToMs
  }

  #endTurn(itemId: string, endMs: number): void {
    const startMs = this.#turns.find(itemId)?.startMs ?? endMs
    this.#turns.place(itemId, 'user', { startMs, endMs: Math.max(startMs, endMs) })
    this.#turnsEndMs = endMs
  }

  #recordedAt(inputMs: number): number {
    const run = this.#runs.findLast((one) => one.inputMs <= inputMs) ?? this.#runs[0]
    return run ? Math.max(0, run.recordedMs + inputMs - run.inputMs) : this.#heardToMs
  }

  #takeTurns(isLast: boolean): SessionTurn[] {
    const { conversation } = this.#ports.state()
    return this.#turns.take((itemId) => {
      const item = findItem(conversation, itemId)
      if (item?.type !== 'message' || item.status === 'in_progress') return undefined
      return wordsOf(item.parts)
    }, isLast)
  }
}

/** What turns are transcribed by is what their recording is transcribed by. */
function hintsIn({ transcription, vocabulary }: Settings): RecordingHints {
  const { prompt: _, ...hints } = transcribeOptions(transcription)
  return { ...hints, ...(vocabulary !== null && { vocabulary }) }
}

/** Nothing until they are known. */
function wordsOf(parts: readonly ContentPart[]): string | undefined {
  const texts = parts.map((part) => {
    if (part.type === 'spoken' && part.spoken) return playedText(part.spoken)
    return part.type === 'input_audio' && part.text === undefined ? undefined : itemText(part)
  })
  return texts.includes(undefined) ? undefined : texts.join(' ')
}

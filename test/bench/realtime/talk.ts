import { setTimeout as pause } from 'node:timers/promises'

import { percentile } from '../table.ts'
import { sentence, silence } from '../../support/client-audio.ts'
import type { ClientSpeech } from '../../support/client-audio.ts'
import type { TalkLine } from './lines.ts'

export const talkPieceMs = 20
const answerWithinMs = 60_000

export interface Turn {
  /** From the last loud sample that was sent to the first loud sample that came back. */
  readonly waveformMs: number
  readonly stages: Readonly<Record<string, number | null>>
  /** Whether the turn was taken to be over before all was said. */
  readonly isCutOff: boolean
}

/** One session, one sentence after another at real time, each answered before the next. */
export async function talk(line: TalkLine, turns: number): Promise<Turn[]> {
  const say = await conversationOver(line)
  const done: (Turn | undefined)[] = []
  for (let turn = 0; turn < turns; turn += 1) done.push(await say())
  line.close()
  return done.filter((turn) => turn !== undefined)
}

/** Says the sentence and listens to the answer, each time it is called; undefined when there was none. */
export async function conversationOver(line: TalkLine): Promise<() => Promise<Turn | undefined>> {
  const speech = await sentence(talkPieceMs)
  const say = speakerOver(line)
  return () => say(speech)
}

interface SpeakerOptions {
  /** As a client sets it. */
  readonly turnDetection?: object
  /** Nobody listens to more than the beginning of an answer. */
  readonly endsEarly?: boolean
}

/** Says what it is given. */
export function speakerOver(
  line: TalkLine,
  { turnDetection = { type: 'server_vad' }, endsEarly = false }: SpeakerOptions = {},
): (speech: ClientSpeech) => Promise<Turn | undefined> {
  const quiet = silence(talkPieceMs)
  const input = { transcription: {}, turn_detection: turnDetection }
  line.tell({ type: 'session.update', session: { type: 'realtime', include: ['vaak.metrics'], audio: { input } } })
  return async ({ pieces, spokenMs }) => {
    let spokenAt = 0
    let isCutOff = false
    let heardAt: number | undefined
    let stages: Turn['stages'] = {}
    const over = new AbortController()
    line.listen({
      audible(atMs) {
        if (spokenAt === 0 || heardAt !== undefined) return
        heardAt = atMs
        if (endsEarly) line.tell({ type: 'response.cancel' })
      },
      event(event) {
        if (event['type'] === 'vaak.metrics') stages = event as Turn['stages'] // as: the server wrote it
        if (event['type'] === 'input_audio_buffer.speech_stopped' && spokenAt === 0) isCutOff = true
        if (event['type'] === line.endsWith && spokenAt > 0) over.abort()
      },
    })
    const startedMs = performance.now()
    for (let at = 0; !over.signal.aborted && at * talkPieceMs < answerWithinMs; at += 1) {
      line.speak(pieces[at] ?? quiet)
      if (at === pieces.length - 1) spokenAt = performance.now() - (pieces.length * talkPieceMs - spokenMs)
      await pause(Math.max(0, startedMs + (at + 1) * talkPieceMs - performance.now()))
    }
    return heardAt === undefined ? undefined : { waveformMs: heardAt - spokenAt, stages, isCutOff }
  }
}

export function talkRows(server: string, turns: readonly Turn[]) {
  const names = ['vad_ms', 'asr_ms', 'llm_ttft_ms', 'tts_ttfb_ms', 'voice_to_voice_ms']
  const whole = percentile(
    turns.map(({ waveformMs }) => waveformMs),
    0.5,
  )
  const row = (stage: string, values: readonly number[]) => ({
    server,
    stage,
    'p50 ms': Math.round(percentile(values, 0.5)),
    'p95 ms': Math.round(percentile(values, 0.95)),
    'share of the waveform %': Math.round((100 * percentile(values, 0.5)) / whole),
  })
  return [
    ...names.map((name) =>
      row(
        name,
        turns.flatMap(({ stages }) => stages[name] ?? []),
      ),
    ),
    row(
      'on the waveform',
      turns.map(({ waveformMs }) => waveformMs),
    ),
  ]
}

import { setTimeout as pause } from 'node:timers/promises'

import { percentile } from '../table.ts'
import { connectClient } from './clients.ts'
import type { BenchServer } from './server.ts'
import { sentence, silence } from '../../support/client-audio.ts'

const pieceMs = 20
const answerWithinMs = 60_000
/** Of 16-bit samples: what a person would hear. */
const audible = 300

export interface Turn {
  /** From the last loud sample that was sent to the first loud sample that came back. */
  readonly waveformMs: number
  readonly stages: Readonly<Record<string, number | null>>
}

/** One session, one sentence after another at real time, each answered before the next. */
export async function talk(server: BenchServer, turns: number): Promise<Turn[]> {
  const socket = await connectClient(server)
  const { pieces, spokenMs } = await sentence(pieceMs)
  const quiet = silence(pieceMs)
  const session = { type: 'realtime', include: ['vaak.metrics'], audio: { input: { transcription: {} } } }
  socket.send(JSON.stringify({ type: 'session.update', session }))
  const done: Turn[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    let spokenAt = 0
    let heardAt: number | undefined
    let stages: Turn['stages'] = {}
    const over = new AbortController()
    const listen = (data: Buffer): void => {
      const event = JSON.parse(data.toString()) as { type: string; delta: string } & Turn['stages']
      if (event.type === 'response.output_audio.delta') heardAt ??= firstAudible(event.delta)
      if (event.type === 'vaak.metrics') stages = event
      if (event.type === 'response.done') over.abort()
    }
    socket.on('message', listen)
    const startedMs = performance.now()
    for (let at = 0; !over.signal.aborted && at * pieceMs < answerWithinMs; at += 1) {
      socket.send(pieces[at] ?? quiet)
      if (at === pieces.length - 1) spokenAt = performance.now() - (pieces.length * pieceMs - spokenMs)
      await pause(Math.max(0, startedMs + (at + 1) * pieceMs - performance.now()))
    }
    socket.off('message', listen)
    if (heardAt !== undefined) done.push({ waveformMs: heardAt - spokenAt, stages })
  }
  socket.terminate()
  return done
}

/** Now, plus what of the piece is silent: it is played from when it came. */
function firstAudible(delta: string): number | undefined {
  const bytes = Buffer.from(delta, 'base64')
  for (let at = 0; at + 1 < bytes.length; at += 2)
    if (Math.abs(bytes.readInt16LE(at)) > audible) return performance.now() + at / 2 / 24
  return undefined
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

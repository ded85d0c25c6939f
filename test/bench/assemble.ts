import { monitorEventLoopDelay } from 'node:perf_hooks'

import { recogniserRate } from '../../actors/conversation/ports.ts'
import { chunkResultKey, planKey } from '../../actors/ids.ts'
import type { StoredChunk } from '../../actors/transcript/state.ts'
import { measureChunk } from '../../infra/speech/analysis/measure.ts'
import { sentencesOf } from '../../infra/speech/transcript/sentences.ts'
import type { TranscribedChunk } from '../../infra/speech/transcript/transcribed-chunk.ts'
import { createAssembler } from '../../infra/speech/work/assembler.ts'
import { plannedOf } from '../../infra/speech/work/plan.ts'
import type { SpeechPlan } from '../../infra/speech/work/speech-plan.ts'
import { aTranscript } from '../support/recognisers.ts'
import { joinedSamples } from '../support/samples.ts'
import { anOrder, settledChunks } from '../support/speech-orders.ts'
import { voicesIn } from '../support/voices.ts'
import { watchedBlobs } from '../support/watched-blobs.ts'
import { machine, printTable } from './table.ts'

const chunkSeconds = 28
const wordsASecond = 2.5
const wordsASentence = 12
const vocabulary = 'यह एक office की बात है और मैं कल meeting में था'.split(' ')

/** What putting a long file together costs, and how long it keeps others waiting: `npm run bench -- assemble [CHUNKS…]` */
export async function benchAssemble(words: readonly string[]): Promise<void> {
  const patterns = Array.from((await voicesIn()).values(), (clips) => heardOf(joinedSamples(clips)))
  const rows = []
  for (const count of words.length > 0 ? words.map(Number) : [10, 100, 1000])
    rows.push(await measure(Array.from({ length: count }, (_, at) => moved(patterns[at % patterns.length]!, at))))
  printTable(`Putting chunks of ${chunkSeconds} s together (${machine()})`, rows)
}

async function measure(heard: readonly TranscribedChunk[]): Promise<Record<string, string | number>> {
  const order = anOrder()
  const blobs = watchedBlobs()
  const seconds = heard.length * chunkSeconds
  const chunks = heard.map((one) => plannedOf({ ...one, samples: new Float32Array() }))
  const plan: SpeechPlan = { seconds, channels: 1, warnings: [], chunks }
  blobs.stored.set(planKey(order), Buffer.from(JSON.stringify(plan)))
  let bytes = 0
  for (const [chunk, one] of heard.entries()) {
    const result = Buffer.from(JSON.stringify(storedOf(one)))
    bytes += result.length
    blobs.stored.set(chunkResultKey(order, chunk), result)
  }
  const assembler = createAssembler(blobs)
  try {
    const settled = settledChunks({ total: heard.length, seconds })
    const { signal } = new AbortController()
    await assembler.assemble(order, settledChunks({ total: 0, seconds: 0 }), signal) // the thread is there
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const startedMs = performance.now()
    const transcript = await assembler.assemble(order, settled, signal)
    const tookMs = performance.now() - startedMs
    await new Promise(setImmediate)
    delay.disable()
    return {
      chunks: heard.length,
      'results MB': (bytes / 1e6).toFixed(1),
      'transcript MB': (JSON.stringify(transcript).length / 1e6).toFixed(1),
      'took s': (tookMs / 1000).toFixed(2),
      'event loop held ms at most': Math.round(delay.max / 1e6),
    }
  } finally {
    await assembler.close()
  }
}

function heardOf(voice: Float32Array): TranscribedChunk {
  const samples = new Float32Array(chunkSeconds * recogniserRate)
  for (let at = 0; at < samples.length; at += voice.length) samples.set(voice.subarray(0, samples.length - at), at)
  const words = Array.from({ length: Math.floor(chunkSeconds * wordsASecond) }, (_, at) => ({
    text: `${vocabulary[at % vocabulary.length]!}${at % wordsASentence === wordsASentence - 1 ? '।' : ''}`,
    start: at / wordsASecond,
    end: (at + 0.8) / wordsASecond,
    confidence: 0.87,
  }))
  const segments = sentencesOf(words).map((sentence) => ({ start: sentence[0]!.start, end: sentence.at(-1)!.end }))
  return {
    chunk: { start: 0, end: samples.length, ownStart: 0, ownEnd: samples.length },
    channel: 0,
    model: 'bench',
    transcript: aTranscript(words, { language: 'hi' }),
    speech: [{ start: 0, end: samples.length }],
    unheard: [],
    measures: measureChunk({ samples, startSeconds: 0 }, segments, words),
  }
}

/** The same a number of chunks later: measuring a thousand would take minutes. */
function moved(heard: TranscribedChunk, chunks: number): TranscribedChunk {
  const seconds = chunks * chunkSeconds
  const samples = seconds * recogniserRate
  const later = <Part extends { start: number; end: number }>(part: Part, by: number): Part => ({
    ...part,
    start: part.start + by,
    end: part.end + by,
  })
  const { chunk, speech, measures } = heard
  return {
    ...heard,
    chunk: later({ ...chunk, ownStart: chunk.ownStart + samples, ownEnd: chunk.ownEnd + samples }, samples),
    speech: speech.map((span) => later(span, samples)),
    measures: {
      segments: measures.segments.map((segment) => ({
        ...later(segment, seconds),
        windows: segment.windows.map((window) => later(window, seconds)),
      })),
      laughing: measures.laughing.map((tag) => later(tag, seconds)),
    },
  }
}

function storedOf(heard: TranscribedChunk): StoredChunk {
  const { transcript, chunk, model } = heard
  const [start, end] = [chunk.start / recogniserRate, chunk.end / recogniserRate]
  const { text, language, confidence } = transcript
  return { start, end, text, language, confidence, model, attempts: 1, startedAtMs: 0, tookMs: 0, heard }
}

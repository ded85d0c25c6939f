import { join } from 'node:path'

import { recogniserRate } from '../../actors/conversation/ports.ts'
import { measureChunk } from '../../infra/speech/analysis/measure.ts'
import type { ChunkMeasures } from '../../infra/speech/analysis/measure.ts'
import { openCtcEngine } from '../../infra/speech/asr/ctc/engine.ts'
import type { Word } from '../../infra/speech/asr/recogniser.ts'
import { bundledModels } from '../../infra/speech/models/bundled.ts'
import { sentencesOf } from '../../infra/speech/transcript/sentences.ts'
import type { Recording } from '../support/recordings.ts'
import { aRandom, joinedSamples } from '../support/samples.ts'
import type { LabelledSpan } from '../support/voices.ts'
import { shuffled } from './shuffled.ts'

/** A clip, who reads it and where its words lie. */
export interface SpeechReading {
  readonly reader: string
  readonly samples: Float32Array
  readonly words: readonly Word[]
}

/** Minutes of readers one after the other, measured as the service would measure them. */
export interface ReadSpeech {
  readonly seconds: number
  readonly chunks: readonly ChunkMeasures[]
  /** Of all chunks, in order of time; each says who reads it. */
  readonly words: readonly LabelledSpan[]
}

const chunkSeconds = 28
const shortestGapSeconds = 0.3
const longestGapSeconds = 2

/** Every clip is recognised once, however often it is read: the words are needed for their times alone. */
export async function readingsOf(recordings: readonly Recording[]): Promise<SpeechReading[]> {
  const folder = join(bundledModels(), 'hinglish-ctc')
  const engine = await openCtcEngine({
    modelPath: join(folder, 'small.int8.onnx'),
    vocabularyPath: join(folder, 'vocab.json'),
    lmPath: join(folder, 'lm.bin'),
    threads: 1,
  })
  const readings: SpeechReading[] = []
  for (const { name, samples } of recordings)
    readings.push({ reader: readerOf(name), samples, words: (await engine.recognise(samples, { hotwords: [] })).words })
  await engine.close()
  return readings
}

/** Clips are named `NNNN_READER.wav`, or `READER-NNNN.wav`. */
function readerOf(name: string): string {
  return /^\d+_(\w+)\.wav$/.exec(name)?.[1] ?? name.replace(/(?:-\d+)?\.wav$/, '')
}

/** In an order and with gaps that the seed gives; each clip comes as often as any other, give or take one. */
export function timeReading(
  readings: readonly SpeechReading[],
  options: { minutes: number; seed: number },
): ReadSpeech {
  const random = aRandom(options.seed)
  const words: LabelledSpan[] = []
  const chunks: ChunkMeasures[] = []
  let chunk = emptyChunk(0)
  let at = 0
  while (at < options.minutes * 60) {
    for (const reading of shuffled(readings, random)) {
      const { reader, samples } = reading
      const seconds = samples.length / recogniserRate
      const gap = shortestGapSeconds + (longestGapSeconds - shortestGapSeconds) * random()
      if (at + seconds - chunk.startSeconds > chunkSeconds) {
        chunks.push(measured(chunk))
        chunk = emptyChunk(at)
      }
      const shift = at
      const spoken = reading.words.map((word) => ({ ...word, start: word.start + shift, end: word.end + shift }))
      words.push(...spoken.map(({ start, end }) => ({ start, end, label: reader })))
      chunk.words.push(...spoken)
      chunk.pieces.push(samples, new Float32Array(Math.round(gap * recogniserRate)))
      at += seconds + Math.round(gap * recogniserRate) / recogniserRate
    }
  }
  return { seconds: at, chunks: [...chunks, measured(chunk)], words }
}

interface OpenChunk {
  readonly startSeconds: number
  readonly pieces: Float32Array[]
  readonly words: Word[]
}

function emptyChunk(startSeconds: number): OpenChunk {
  return { startSeconds, pieces: [], words: [] }
}

function measured({ startSeconds, pieces, words }: OpenChunk): ChunkMeasures {
  const own = words.map((word) => ({ ...word, start: word.start - startSeconds, end: word.end - startSeconds }))
  const segments = sentencesOf(own).map((sentence) => ({ start: sentence[0]!.start, end: sentence.at(-1)!.end }))
  return measureChunk({ samples: joinedSamples(pieces), startSeconds }, segments, own)
}

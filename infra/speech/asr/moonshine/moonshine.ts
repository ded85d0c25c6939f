import { readFile } from 'node:fs/promises'
import { setImmediate as lookUp } from 'node:timers/promises'

import type { InferenceSession } from 'onnxruntime-node'
import { Tensor } from 'onnxruntime-node'

import { recogniserRate } from '../../../../actors/conversation/ports.ts'
import { attendByHead } from '../../onnx/attend-by-head.ts'
import type { OnnxModel as Network } from '../../onnx/model.ts'
import { rotatePairs } from '../../onnx/rotate-pairs.ts'
import { likeliest } from '../choose.ts'
import type { TokenDecoder, Tensors } from '../decoder.ts'
import { openDecoder } from '../decoder.ts'
import { openEncoder } from '../encoder.ts'
import { layersOf, lookOf } from '../look.ts'
import { loopAtEnd } from '../loops.ts'
import type { Recogniser, Transcript } from '../recogniser.ts'
import { refuseLanguage, refuseLong } from '../refuse.ts'
import { settleWords } from '../settle-words.ts'
import type { SpokenTokens } from './spoken.ts'
import { wordsOfSpoken } from './spoken.ts'
import type { MoonshineVocabulary } from './vocabulary.ts'
import { readVocabulary } from './vocabulary.ts'

export interface MoonshineFiles {
  readonly encoder: string
  readonly decoder: string
  /** The package's script, which holds the vocabulary. */
  readonly vocabulary: string
}

export interface MoonshineOptions {
  readonly id: string
  readonly files: MoonshineFiles
  readonly threads: number
  readonly wordTimes?: boolean
  /** Off for comparison with the plain loop. */
  readonly guarded?: boolean
}

const languages = ['en']
const heardOutput = 'last_hidden_state'
/** It was trained on up to a minute or so, and the token cap on half of that. */
const moonshineWindowSeconds = 30
const startToken = 1
const endToken = 2
/** The authors' own limit, for plain decoding; people who speak fast say a little more. */
const plainTokensPerSecond = 6
const guardedTokensPerSecond = 9
const spareTokens = 8
/** Below this many samples the convolutions of the encoder have nothing to look at. */
const leastSamples = 1600
const leastLevel = 0.0005
const leastLogProb = -1.2
const anyNumber = -1

/** English, fast: the work follows the length of the clip. Runs on the calling thread and blocks it. */
export async function openMoonshine(options: MoonshineOptions): Promise<Recogniser> {
  const vocabulary = readVocabulary(await readFile(options.files.vocabulary, 'utf8'))
  const { threads } = options
  const attend = (published: Network): Network => attendByHead(rotatePairs(published, anyNumber))
  const encoder = await openEncoder(options.files.encoder, { output: heardOutput, threads, attend })
  const decoder = await openDecoder({ decoder: options.files.decoder, batch: false }, threads)
  const model: Model = { encoder, decoder, vocabulary, options }

  return {
    id: options.id,
    languages,
    windowSeconds: moonshineWindowSeconds,
    async transcribe(clips, { language, signal }) {
      refuseLanguage(options.id, languages, language)
      for (const clip of clips) refuseLong(clip, moonshineWindowSeconds)
      const transcripts: Transcript[] = []
      for (const samples of clips) {
        signal?.throwIfAborted()
        transcripts.push(await transcribe(model, samples, signal))
      }
      return transcripts
    },
    async close() {
      await encoder.release()
      await decoder.close()
    },
  }
}

interface Model {
  readonly encoder: InferenceSession
  readonly decoder: TokenDecoder
  readonly vocabulary: MoonshineVocabulary
  readonly options: MoonshineOptions
}

async function transcribe(model: Model, samples: Float32Array, signal?: AbortSignal): Promise<Transcript> {
  const guarded = model.options.guarded ?? true
  if (samples.length < leastSamples || (guarded && levelOf(samples) < leastLevel)) return nothing('silent')
  const heard = await model.encoder.run({ input_values: new Tensor('float32', samples, [1, samples.length]) })
  const hidden = heard[heardOutput]!
  const memory = await model.decoder.attend(hidden)
  const seconds = samples.length / recogniserRate
  const cap = guarded ? seconds * guardedTokensPerSecond + spareTokens : seconds * plainTokensPerSecond
  const spoken = await speak(model, memory, { cap: Math.trunc(cap), frames: hidden.dims[1]!, seconds, guarded, signal })
  return transcriptOf(model, samples, spoken)
}

interface Bounds {
  readonly cap: number
  readonly frames: number
  readonly seconds: number
  readonly guarded: boolean
  readonly signal: AbortSignal | undefined
}

async function speak({ decoder, options }: Model, memory: Tensors, bounds: Bounds): Promise<SpokenTokens> {
  const { cap, frames, seconds, guarded, signal } = bounds
  const heads = options.wordTimes === false ? [] : headsOf(decoder)
  const wanted = { positions: [0], attentionOf: layersOf(heads) }
  const tokens: number[] = []
  const logProbs: number[] = []
  const looks: Float32Array[] = []
  let ended: SpokenTokens['ended'] = 'cap'
  let reading = await decoder.prompt(memory, [startToken], wanted)
  for (;;) {
    const { token, logProb } = likeliest(reading.logits)
    const look = lookOf(reading, { row: 0, heads, frames })
    if (look) looks.push(look)
    logProbs.push(logProb)
    if (token === endToken) {
      ended = 'end'
      break
    }
    tokens.push(token)
    if (guarded && loopAtEnd(tokens)) {
      ended = 'loop'
      break
    }
    if (tokens.length >= cap) break
    await lookUp() // or it would not be told before its end that nobody wants it
    signal?.throwIfAborted()
    reading = await decoder.step(memory, { cache: reading.cache, tokens: [token] }, wanted)
  }
  const kept = ended === 'loop' ? loopAtEnd(tokens)!.from : tokens.length
  return {
    tokens: tokens.slice(0, kept),
    logProbs: ended === 'end' ? logProbs : logProbs.slice(0, kept),
    attention: looks.length > 0 ? { rows: looks.slice(0, kept + 1), heads: heads.length, frames } : undefined,
    seconds,
    ended,
  }
}

function transcriptOf({ vocabulary, options }: Model, samples: Float32Array, spoken: SpokenTokens): Transcript {
  const logProb = spoken.logProbs.reduce((sum, value) => sum + value, 0) / Math.max(1, spoken.logProbs.length)
  const guarded = options.guarded ?? true
  const flags = [
    ...(spoken.ended === 'loop' ? ['looped'] : []),
    ...(spoken.ended === 'cap' && guarded ? ['capped'] : []),
    ...(logProb < leastLogProb && guarded ? ['unsure'] : []),
  ]
  const words = options.wordTimes === false ? [] : settleWords(wordsOfSpoken(spoken, vocabulary), samples)
  const text = vocabulary.decode(spoken.tokens).trim()
  return { text, language: 'en', confidence: Math.exp(logProb), logProb, noSpeech: 0, words, flags }
}

function nothing(flag: string): Transcript {
  return { text: '', language: 'en', confidence: 0, logProb: 0, noSpeech: 1, words: [], flags: [flag] }
}

/** The package does not say which heads follow the audio; together, those of the later layers do. */
function headsOf({ attentionLayers, layers, heads }: TokenDecoder): (readonly [number, number])[] {
  return attentionLayers
    .filter((layer) => layer >= Math.floor(layers / 3))
    .flatMap((layer) => Array.from({ length: heads }, (_, head) => [layer, head] as const))
}

function levelOf(samples: Float32Array): number {
  let sum = 0
  for (let i = 0; i < samples.length; i++) sum += samples[i]! * samples[i]!
  return Math.sqrt(sum / Math.max(1, samples.length))
}

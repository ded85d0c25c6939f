import { readFile } from 'node:fs/promises'

import ort from 'onnxruntime-node'

import { recogniserRate } from '../../../../actors/conversation/ports.ts'
import { evenLevel } from '../../audio/level.ts'
import { logMel, melHopSamples } from '../../audio/mel.ts'
import { convolveInBytes } from '../../onnx/convolve-in-bytes.ts'
import type { Convolution } from '../../onnx/convolve-in-bytes.ts'
import { fuseAttention } from '../../onnx/fuse-attention.ts'
import type { OnnxModel } from '../../onnx/model.ts'
import { splitProducts } from '../../onnx/split-products.ts'
import { openEncoder } from '../encoder.ts'
import type { ClipEmissions, Transcript } from '../recogniser.ts'
import { multipliesSigned } from '../signed-products.ts'
import { beamDecoder, defaultBeamOptions } from './beam.ts'
import { decodeGreedily } from './greedy.ts'
import type { ListenedFor } from './hotwords.ts'
import type { LogProbs } from './logits.ts'
import { scoresOfPhrases } from './phrase-scores.ts'
import { openSharedLm, roomForLm } from './shared-lm.ts'
import type { SharedLm } from './shared-lm.ts'
import { lendToSoundAlikes } from './sound-alikes.ts'
import { nothing, ctcTranscript } from './transcript.ts'
import { parseVocabulary } from './vocabulary.ts'
import type { CtcVocabulary } from './vocabulary.ts'

export interface CtcFiles {
  readonly modelPath: string
  readonly vocabularyPath: string
  /** Without a language model the decoding is greedy. */
  readonly lmPath?: string
}

interface CtcEngineOptions extends CtcFiles {
  readonly threads: number
  /** The language model in memory that other threads have, too. */
  readonly lm?: SharedLm
}

/** One model on one thread of JavaScript, which it blocks while it computes: see worker.ts. */
interface CtcEngine {
  recognise(samples: Float32Array, listensFor: ListenedFor): Promise<Transcript>
  scorePhrases(samples: Float32Array, phrases: readonly string[]): Promise<number[]>
  /** What it hears before anybody makes words of it. */
  emit(samples: Float32Array): Promise<ClipEmissions>
  close(): Promise<void>
}

/** Less than this is not a letter: the model's first layers alone look at 50 ms. */
const shortestSeconds = 0.1
const melBins = 80
const namedOutput = 'logprobs'

export async function openCtcEngine(options: CtcEngineOptions): Promise<CtcEngine> {
  const vocabulary = parseVocabulary(await readFile(options.vocabularyPath, 'utf8'))
  const decoder = await decoderOf(vocabulary, options)
  const session = await openEncoder(options.modelPath, {
    output: namedOutput,
    threads: options.threads,
    attend: await quickened(),
  })

  async function hear(samples: Float32Array): Promise<{ logProbs: LogProbs; secondsAFrame: number }> {
    const mel = logMel(evenLevel(samples), { bins: melBins })
    const outputs = await session.run({ mel: new ort.Tensor('float32', mel.data, [1, melBins, mel.frames]) })
    const logProbs = logProbsOf(outputs[namedOutput], vocabulary)
    return { logProbs, secondsAFrame: (Math.round(mel.frames / logProbs.frames) * melHopSamples) / recogniserRate }
  }

  return {
    async emit(samples) {
      const { symbols } = vocabulary
      if (isTooShort(samples)) return { symbols, logProbs: new Float32Array(), secondsAFrame: 0 }
      const { logProbs, secondsAFrame } = await hear(samples)
      return { symbols, logProbs: logProbs.data, secondsAFrame }
    },
    recognise: async (samples, listensFor) => {
      if (isTooShort(samples)) return nothing({ noSpeech: 1, flags: ['silent'] })
      const { logProbs: heard, secondsAFrame } = await hear(samples)
      const logProbs = decoder.lend(heard)
      const sequence = decoder.decode(logProbs, listensFor)
      const textLogProbs = decoder.likelihoods(sequence)
      return ctcTranscript({ logProbs, sequence, textLogProbs, secondsAFrame }, vocabulary)
    },
    scorePhrases: async (samples, phrases) => {
      if (isTooShort(samples)) return phrases.map(() => -Infinity)
      const { logProbs } = await hear(samples)
      return scoresOfPhrases(logProbs, phrases, vocabulary)
    },
    close: () => session.release(),
  }
}

/** The wide convolution in bytes only where signed bytes are multiplied exactly, as its weights are. */
async function quickened(): Promise<(model: OnnxModel) => OnnxModel> {
  const signed = await multipliesSigned()
  return (model) => convolveInBytes(splitProducts(fuseAttention(model)), (one) => signed && isWide(one))
}

/** The second of the two, which halves the frames; the first has a tenth of its work. */
function isWide({ inputs, outputs }: Convolution): boolean {
  return inputs === outputs
}

function isTooShort(samples: Float32Array): boolean {
  return samples.length < shortestSeconds * recogniserRate
}

interface CtcDecoder {
  /** What is decoded, and what words are as sure as. */
  lend(logProbs: LogProbs): LogProbs
  decode(logProbs: LogProbs, listensFor: ListenedFor): number[]
  /** How likely each symbol of a text is after those before it. */
  likelihoods(sequence: readonly number[]): number[]
}

/** What a letter of ordinary text has, where no language model tells. */
const usualLogProb = -1

async function decoderOf(
  vocabulary: CtcVocabulary,
  { lmPath, lm: shared }: Pick<CtcEngineOptions, 'lmPath' | 'lm'>,
): Promise<CtcDecoder> {
  if (lmPath === undefined)
    return {
      lend: (logProbs) => logProbs,
      decode: (logProbs) => decodeGreedily(logProbs, vocabulary.blank),
      likelihoods: (sequence) => sequence.map(() => usualLogProb),
    }
  const lm = await openSharedLm(lmPath, shared ?? (await roomForLm(lmPath))())
  const lmSymbols = vocabulary.symbols.map((symbol) => lm.symbolOf(symbol))
  return {
    lend: lendToSoundAlikes(vocabulary, { unheardBelow: defaultBeamOptions.symbolFloor }),
    decode: beamDecoder(vocabulary, lm),
    likelihoods(sequence) {
      let state = lm.start
      return sequence.map((symbol) => {
        const logProb = lm.score(state, lmSymbols[symbol]!)
        state = lm.next()
        return logProb
      })
    },
  }
}

function logProbsOf(tensor: ort.Tensor | undefined, vocabulary: CtcVocabulary): LogProbs {
  const [, frames = 0, symbols = 0] = tensor?.dims ?? []
  if (!(tensor?.data instanceof Float32Array)) throw new Error(`a CTC model has an output "${namedOutput}" of float32`)
  if (symbols !== vocabulary.symbols.length)
    throw new Error(`the model has ${symbols} outputs, its vocabulary ${vocabulary.symbols.length} symbols`)
  return { data: tensor.data, frames, symbols }
}

import { readFile } from 'node:fs/promises'

import ort from 'onnxruntime-node'

import { evenLevel } from '../../audio/level.ts'
import { logMel, melHopSamples, sampleRate } from '../../audio/mel.ts'
import { attendByHead } from '../../onnx/attend-by-head.ts'
import { openEncoder } from '../encoder.ts'
import type { Transcript } from '../recogniser.ts'
import { beamDecoder } from './beam.ts'
import { decodeGreedily } from './greedy.ts'
import { openLm } from './lm.ts'
import type { LogProbs } from './logits.ts'
import { nothing, transcriptOf } from './transcript.ts'
import { parseVocabulary } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface CtcFiles {
  readonly modelPath: string
  readonly vocabularyPath: string
  /** Without a language model the decoding is greedy. */
  readonly lmPath?: string
}

export interface CtcEngineOptions extends CtcFiles {
  readonly language: string
  readonly threads: number
}

/** One model on one thread of JavaScript, which it blocks while it computes: see worker.ts. */
export interface CtcEngine {
  recognise(samples: Float32Array, hotwords: readonly string[]): Promise<Transcript>
  close(): Promise<void>
}

/** Less than this is not a letter: the model's first layers alone look at 50 ms. */
const shortestSeconds = 0.1
const melBins = 80
const namedOutput = 'logprobs'

export async function openCtcEngine(options: CtcEngineOptions): Promise<CtcEngine> {
  const vocabulary = parseVocabulary(await readFile(options.vocabularyPath, 'utf8'))
  const decode = await decoderOf(vocabulary, options.lmPath)
  const session = await openEncoder(options.modelPath, {
    output: namedOutput,
    threads: options.threads,
    attend: attendByHead,
  })

  return {
    recognise: async (samples, hotwords) => {
      if (samples.length < shortestSeconds * sampleRate)
        return nothing({ language: options.language, noSpeech: 1, flags: [] })
      const mel = logMel(evenLevel(samples), { bins: melBins })
      const outputs = await session.run({ mel: new ort.Tensor('float32', mel.data, [1, melBins, mel.frames]) })
      const logProbs = logProbsOf(outputs[namedOutput], vocabulary)
      const secondsAFrame = (Math.round(mel.frames / logProbs.frames) * melHopSamples) / sampleRate
      const sequence = decode(logProbs, hotwords)
      return transcriptOf({ logProbs, sequence, secondsAFrame, language: options.language }, vocabulary)
    },
    close: () => session.release(),
  }
}

type Decode = (logProbs: LogProbs, hotwords: readonly string[]) => number[]

async function decoderOf(vocabulary: Vocabulary, lmPath?: string): Promise<Decode> {
  if (lmPath === undefined) return (logProbs) => decodeGreedily(logProbs, vocabulary.blank)
  const bytes = await readFile(lmPath)
  // A copy that begins at a multiple of four, which a pooled buffer of Node's need not.
  return beamDecoder(vocabulary, openLm(Uint8Array.from(bytes)))
}

function logProbsOf(tensor: ort.Tensor | undefined, vocabulary: Vocabulary): LogProbs {
  const [, frames = 0, symbols = 0] = tensor?.dims ?? []
  if (!(tensor?.data instanceof Float32Array)) throw new Error(`a CTC model has an output "${namedOutput}" of float32`)
  if (symbols !== vocabulary.symbols.length)
    throw new Error(`the model has ${symbols} outputs, its vocabulary ${vocabulary.symbols.length} symbols`)
  return { data: tensor.data, frames, symbols }
}

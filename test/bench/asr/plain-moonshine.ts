import { readFile } from 'node:fs/promises'

import type { InferenceSession } from 'onnxruntime-node'
import { Tensor } from 'onnxruntime-node'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { MoonshineFiles } from '../../../infra/speech/asr/moonshine/moonshine.ts'
import { readVocabulary } from '../../../infra/speech/asr/moonshine/vocabulary.ts'
import { openOnnxSession } from '../../../infra/speech/asr/session.ts'
import type { BenchListener } from './listener.ts'

const startToken = 1
const endToken = 2
const tokensPerSecond = 6

/**
 * The loop over the published merged decoder as its authors run it: all outputs fetched, the choice of branch at every
 * step, no part of the model rewritten.
 */
export async function openPlainMoonshine(files: MoonshineFiles, threads: number): Promise<BenchListener> {
  const encoder = await openOnnxSession(files.encoder, threads)
  const decoder = await openOnnxSession(files.decoder, threads)
  const vocabulary = readVocabulary(await readFile(files.vocabulary, 'utf8'))
  return {
    async hear(samples) {
      const input = new Tensor('float32', samples, [1, samples.length])
      const heard = (await encoder.run({ input_values: input }))['last_hidden_state']!
      const limit = Math.trunc((samples.length / recogniserRate) * tokensPerSecond)
      const tokens: number[] = []
      let past = emptyPast(decoder)
      for (let token = startToken; tokens.length < limit;) {
        const outputs = await decoder.run({
          input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
          encoder_hidden_states: heard,
          use_cache_branch: new Tensor('bool', [tokens.length > 0], [1]),
          ...past,
        })
        token = largest(outputs['logits']!.data as Float32Array)
        if (token === endToken) break
        past = pastAfter(past, outputs, tokens.length === 0)
        tokens.push(token)
      }
      return vocabulary.decode(tokens)
    },
    async close() {
      await Promise.all([encoder.release(), decoder.release()])
    },
  }
}

function emptyPast(decoder: InferenceSession): Record<string, Tensor> {
  const names = decoder.inputNames.filter((name) => name.startsWith('past_key_values.'))
  return Object.fromEntries(
    names.map((name) => {
      const shape = decoder.inputMetadata.find((input) => input.name === name)
      const [heads, width] = shape?.isTensor ? [Number(shape.shape[1]), Number(shape.shape[3])] : [0, 0]
      return [name, new Tensor('float32', new Float32Array(), [0, heads, 1, width])]
    }),
  )
}

/** What the encoder said stays the same after the first step. */
function pastAfter(
  past: Record<string, Tensor>,
  outputs: InferenceSession.ReturnType,
  first: boolean,
): Record<string, Tensor> {
  return Object.fromEntries(
    Object.entries(past).map(([name, value]) => {
      const present = outputs[name.replace('past_key_values', 'present')]
      return [name, present && (first || name.includes('decoder')) ? present : value]
    }),
  )
}

function largest(logits: Float32Array): number {
  let best = 0
  for (let i = 1; i < logits.length; i += 1) if (logits[i]! > logits[best]!) best = i
  return best
}

import { workerData } from 'node:worker_threads'

import { InferenceSession, Tensor } from 'onnxruntime-node'
import { z } from 'zod'

import { spokenRate } from '../../../../actors/conversation/ports.ts'
import { resample } from '../../audio/signal/resample.ts'
import { serveThread } from '../../threads/serve.ts'
import { stretch } from '../stretch.ts'
import { durations, voiceGraph } from './graph.ts'
import { edgeToken } from './vocabulary.ts'

/** The thread of the neural model: `run` holds its thread until the network is done, and this one nobody waits on. */
const given = z.object({
  parts: z.array(z.string()).min(1),
  cached: z.object({ folder: z.string(), digest: z.string() }).optional(),
  threads: z.int().min(1),
})
const request = z.object({
  tokens: z.array(z.int()),
  style: z.instanceof(Float32Array),
  speed: z.number().positive(),
  pitch: z.number(),
})

await serveThread(async () => {
  const { parts, cached, threads } = given.parse(workerData)
  const graph = await voiceGraph(parts, cached)
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // threads that wait for each other give the processor away meanwhile: there are others on this machine
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }
  const session = await (typeof graph === 'string'
    ? InferenceSession.create(graph, options)
    : InferenceSession.create(graph, options))
  return async (asked) => {
    const { tokens, style, speed, pitch } = request.parse(asked)
    const ids = BigInt64Array.from([edgeToken, ...tokens, edgeToken], BigInt)
    const answer = await session.run({
      input_ids: new Tensor('int64', ids, [1, ids.length]),
      style: new Tensor('float32', style, [1, style.length]),
      speed: new Tensor('float32', Float32Array.of(speed), [1]),
    })
    return { samples: shifted(floatsOf(answer['waveform']), pitch), durations: floatsOf(answer[durations]) }
  }
})

function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data
  throw new Error('the model did not answer as it should')
}

/** Higher or lower at the same pace: played faster, after it was made longer by as much. */
function shifted(samples: Float32Array, semitones: number): Float32Array {
  if (semitones === 0) return samples
  const factor = 2 ** (semitones / 12)
  const longer = stretch(samples, { factor: 1 / factor, rate: spokenRate })
  return resample(longer, Math.round((spokenRate * factor) / 10) * 10, spokenRate)
}

import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { serveThread } from '../../threads/serve.ts'
import { openSilero, vadStream } from '../silero.ts'
import { contextSamples, inputSamples } from '../whole-stretches.ts'
import type { VadStream } from '../silero.ts'
import type { LookRequest } from './detector.ts'

/** The inside of the detector's thread: what the network remembers of each stream, and the network. */
await serveThread(async () => {
  const { modelPath } = z.object({ modelPath: z.string() }).parse(workerData)
  const vad = await openSilero({ modelPath })
  const streams = new Map<number, VadStream>()

  return async (message) => {
    const request = message as LookRequest // as: the detector's own, cloned from its thread
    for (const id of request.left) streams.delete(id)
    const turns = Array.from(request.streams, (id, at) => {
      const known = request.fresh[at] === 1 ? undefined : streams.get(id)
      const stream = known ?? vadStream()
      streams.set(id, stream)
      const input = request.inputs.subarray(at * inputSamples, (at + 1) * inputSamples)
      // the frame before may have been left out: the network remembers speech, the context is the audio itself
      stream.context.set(input.subarray(0, contextSamples))
      return { stream, frames: input.subarray(contextSamples) }
    })
    return vad.advance(turns)
  }
})

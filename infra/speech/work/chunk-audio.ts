import { z } from 'zod'

import { terminal } from '../../../actors/failure.ts'
import { chunkAudioKey } from '../../../actors/ids.ts'
import type { RunRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import { wholeBytes } from '../../../actors/whole-bytes.ts'
import { decodeWav, encodeWav } from '../audio/wav.ts'
import type { ChannelChunk } from '../engine/cut.ts'
import { openStored } from './open-stored.ts'
import { transcribedChunkSchema, spanSchema } from './schemas.ts'

/** The name of our chunk in the WAV: JSON that says what the audio is, for whoever finds the file. */
const describedIn = 'vaak'

const descriptionSchema = z.object({
  chunk: transcribedChunkSchema,
  channel: z.int(),
  speech: z.array(spanSchema),
  unsure: z.literal(true).optional(),
  /** The samples were divided by this, because some were beyond full scale. */
  gain: z.number(),
})

/** The sound of a chunk as it is stored: plays anywhere, and says which part of its recording it is. */
export function encodeChunk({ samples, ...place }: ChannelChunk): Uint8Array {
  const gain = gainOf(samples)
  const description = Buffer.from(JSON.stringify({ ...place, gain }))
  return encodeWav({ samples: scaled(samples, 1 / gain), extra: new Map([[describedIn, description]]) })
}

export function decodeChunk(bytes: Uint8Array): ChannelChunk {
  const wav = decodeWav(bytes)
  const description = wav?.extra.get(describedIn)
  if (!wav || !description) throw terminal('unsupported_media', 'The stored sound of this chunk is damaged.')
  const { gain, unsure, ...place } = descriptionSchema.parse(JSON.parse(Buffer.from(description).toString()))
  return { ...place, ...(unsure && { unsure }), samples: scaled(wav.samples, gain) }
}

export async function loadChunk(blobs: Blobs, input: RunRef, chunk: number): Promise<ChannelChunk> {
  const missing = 'The sound of this chunk is no longer in storage. Submit the file again.'
  return decodeChunk(await wholeBytes(await openStored(blobs, chunkAudioKey(input, chunk), missing)))
}

/** The smallest power of two that keeps every sample within full scale: dividing by it loses nothing. */
function gainOf(samples: Float32Array): number {
  let peak = 0
  for (let i = 0; i < samples.length; i += 1) peak = Math.max(peak, Math.abs(samples[i]!))
  let gain = 1
  while (peak > gain) gain *= 2
  return gain
}

function scaled(samples: Float32Array, factor: number): Float32Array {
  return factor === 1 ? samples : samples.map((sample) => sample * factor)
}

import { createDecoder } from '../../infra/speech/audio/decode.ts'
import { joinedSamples } from './samples.ts'

/** What is in each file, at 16 kHz, its channels mixed. */
export async function decodeAll(paths: readonly string[]): Promise<Float32Array[]> {
  const decoder = createDecoder()
  const clips: Float32Array[] = []
  try {
    for (const path of paths) {
      const blocks: Float32Array[] = []
      for await (const [samples] of await decoder.decode(path, { channels: 'mix' })) blocks.push(samples!)
      clips.push(joinedSamples(blocks))
    }
  } finally {
    await decoder.close()
  }
  return clips
}

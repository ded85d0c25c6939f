import { Tensor } from 'onnxruntime-node'

import type { Decoder, Tensors } from '../decoder.ts'
import { openDecoder } from '../decoder.ts'
import { openEncoder } from '../encoder.ts'

const heardOutput = 'last_hidden_state'

export interface NetFiles {
  readonly encoder: string
  readonly decoder: string
  /** Only for exports whose decoder is two files. */
  readonly decoderWithPast?: string
}

export interface NetOptions {
  readonly melBins: number
  readonly threads: number
  readonly batch: boolean
}

export interface Net {
  /** [bins, frames] of one clip → what the decoder attends to. */
  encode(mel: Float32Array): Promise<Tensors>
  readonly decoder: Decoder
  close(): Promise<void>
}

export async function openNet(files: NetFiles, { melBins, threads, batch }: NetOptions): Promise<Net> {
  const encoder = await openEncoder(files.encoder, heardOutput, threads)
  const decoder = await openDecoder({ ...files, batch }, threads)
  return {
    decoder,
    async encode(mel) {
      const features = new Tensor('float32', mel, [1, melBins, mel.length / melBins])
      const heard = await encoder.run({ input_features: features })
      return decoder.attend(heard[heardOutput]!)
    },
    async close() {
      await encoder.release()
      await decoder.close()
    },
  }
}

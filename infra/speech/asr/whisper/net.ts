import type { TokenDecoder, Tensors } from '../decoder.ts'
import { openDecoder } from '../decoder.ts'
import type { WhisperConfig } from './config.ts'
import { openMelEncoder } from './mel-encoder.ts'

export interface NetFiles {
  readonly encoder: string
  readonly decoder: string
  /** Only for exports whose decoder is two files. */
  readonly decoderWithPast?: string
}

interface NetOptions {
  readonly config: Pick<WhisperConfig, 'melBins' | 'encoderFrames'>
  readonly threads: number
  readonly batch: boolean
}

export interface Net {
  /** [bins, frames] of one clip → what the decoder attends to. */
  encode(mel: Float32Array): Promise<Tensors>
  readonly decoder: TokenDecoder
  close(): Promise<void>
}

export async function openNet(files: NetFiles, { config, threads, batch }: NetOptions): Promise<Net> {
  const encoder = await openMelEncoder(files.encoder, { config, threads })
  const decoder = await openDecoder({ ...files, batch }, threads)
  return {
    decoder,
    encode: async (mel) => decoder.attend(await encoder.encode(mel)),
    async close() {
      await encoder.close()
      await decoder.close()
    },
  }
}

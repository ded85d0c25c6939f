import { Tensor } from 'onnxruntime-node'

import { attendInBlocks } from '../../onnx/attend-in-blocks.ts'
import { takeShorterClips } from '../../onnx/take-shorter-clips.ts'
import type { TokenDecoder, Tensors } from '../decoder.ts'
import { openDecoder } from '../decoder.ts'
import { openEncoder } from '../encoder.ts'
import type { WhisperConfig } from './config.ts'

const heardOutput = 'last_hidden_state'

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
  /** Whether clips may be shorter than those that it was trained on. */
  readonly anyLength?: boolean
}

export interface Net {
  /** [bins, frames] of one clip → what the decoder attends to. */
  encode(mel: Float32Array): Promise<Tensors>
  readonly decoder: TokenDecoder
  close(): Promise<void>
}

/** As many as keep their scores in the cache of one core, and not so few that packing the keys again counts. */
const rowsAtOnce = 150

export async function openNet(
  files: NetFiles,
  { config, threads, batch, anyLength = false }: NetOptions,
): Promise<Net> {
  const { melBins, encoderFrames } = config
  const encoder = await openEncoder(files.encoder, {
    output: heardOutput,
    threads,
    attend: (model) =>
      attendInBlocks(anyLength ? takeShorterClips(model, encoderFrames) : model, {
        frames: encoderFrames,
        rows: rowsAtOnce,
      }),
  })
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

import { Tensor } from 'onnxruntime-node'

import { attendInBlocks } from '../../onnx/attend-in-blocks.ts'
import { takeShorterClips } from '../../onnx/take-shorter-clips.ts'
import { openEncoder } from '../encoder.ts'
import type { WhisperConfig } from './config.ts'

interface MelEncoderOptions {
  readonly config: Pick<WhisperConfig, 'melBins' | 'encoderFrames'>
  readonly threads: number
  /** Whether clips may be shorter than those that it was trained on. */
  readonly anyLength?: boolean
}

interface MelEncoder {
  /** [bins, frames] of one clip → what a decoder attends to. */
  encode(mel: Float32Array): Promise<Tensor>
  close(): Promise<void>
}

const heardOutput = 'last_hidden_state'
/** As many as keep their scores in the cache of one core, and not so few that packing the keys again counts. */
const rowsAtOnce = 150

export async function openMelEncoder(
  path: string,
  { config, threads, anyLength = false }: MelEncoderOptions,
): Promise<MelEncoder> {
  const { melBins, encoderFrames } = config
  const session = await openEncoder(path, {
    output: heardOutput,
    threads,
    attend: (model) =>
      attendInBlocks(anyLength ? takeShorterClips(model, encoderFrames) : model, {
        frames: encoderFrames,
        rows: rowsAtOnce,
      }),
  })
  return {
    async encode(mel) {
      const features = new Tensor('float32', mel, [1, melBins, mel.length / melBins])
      const outputs = await session.run({ input_features: features })
      return outputs[heardOutput]!
    },
    close: () => session.release(),
  }
}

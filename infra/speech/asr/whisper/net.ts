import { readFile } from 'node:fs/promises'

import { Tensor } from 'onnxruntime-node'

import { attendInBlocks } from '../../onnx/attend-in-blocks.ts'
import type { Model } from '../../onnx/model.ts'
import { readModel } from '../../onnx/model.ts'
import { keepOutputs } from '../../onnx/rewrite.ts'
import type { Decoder, Tensors } from '../decoder.ts'
import { openDecoder } from '../decoder.ts'
import { openModel } from '../session.ts'
import type { WhisperConfig } from './config.ts'

export interface NetFiles {
  readonly encoder: string
  readonly decoder: string
  /** Only for exports whose decoder is two files. */
  readonly decoderWithPast?: string
}

export interface NetOptions {
  readonly config: Pick<WhisperConfig, 'melBins' | 'encoderFrames'>
  readonly threads: number
  readonly batch: boolean
}

export interface Net {
  /** [bins, frames] of one clip → what the decoder attends to. */
  encode(mel: Float32Array): Promise<Tensors>
  readonly decoder: Decoder
  close(): Promise<void>
}

/** As many as keep their scores in the cache of one core, and not so few that packing the keys again counts. */
const rowsAtOnce = 150

export async function openNet(files: NetFiles, { config, threads, batch }: NetOptions): Promise<Net> {
  const { melBins, encoderFrames } = config
  const encoder = await openModel(encoderPart(await readFile(files.encoder), encoderFrames), threads)
  const decoder = await openDecoder(
    {
      batch,
      decoder: await readFile(files.decoder),
      ...(files.decoderWithPast === undefined ? {} : { decoderWithPast: await readFile(files.decoderWithPast) }),
    },
    threads,
  )
  return {
    decoder,
    async encode(mel) {
      const features = new Tensor('float32', mel, [1, melBins, mel.length / melBins])
      const heard = await encoder.run({ input_features: features }, ['last_hidden_state'])
      return decoder.attend(heard['last_hidden_state']!)
    },
    async close() {
      await encoder.release()
      await decoder.close()
    },
  }
}

/** Attention over the sound itself is an output of some exports, at four bytes for each pair of frames: never wanted. */
function encoderPart(encoder: Uint8Array, frames: number): Model {
  const part = keepOutputs(readModel(encoder), (name) => name === 'last_hidden_state')
  return attendInBlocks(part, { frames, rows: rowsAtOnce })
}

import { readFile } from 'node:fs/promises'

import { Tensor } from 'onnxruntime-node'

import { readModel, writeModel } from '../../onnx/model.ts'
import { keepOutputs } from '../../onnx/rewrite.ts'
import type { Decoder, Tensors } from '../decoder.ts'
import { openDecoder } from '../decoder.ts'
import { openSession } from '../session.ts'

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
  const encoder = await openSession(encoderPart(await readFile(files.encoder)), threads)
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
function encoderPart(encoder: Uint8Array): Uint8Array {
  return writeModel(keepOutputs(readModel(encoder), (name) => name === 'last_hidden_state'))
}

import type { InferenceSession } from 'onnxruntime-node'

import type { OnnxModel } from '../onnx/model.ts'
import { readModel } from '../onnx/model.ts'
import { withModelFile } from '../onnx/model-file.ts'
import { keepOutputs } from '../onnx/rewrite.ts'
import { openModel } from './session.ts'

interface EncoderOptions {
  readonly output: string
  readonly threads: number
  /** How its frames look at each other in less memory and time. */
  readonly attend: (model: OnnxModel) => OnnxModel
}

/** A network that hears a clip as a whole. Other outputs, such as attention at four bytes a pair of frames, are dropped. */
export function openEncoder(path: string, { output, threads, attend }: EncoderOptions): Promise<InferenceSession> {
  return withModelFile(path, (file) => {
    const model = keepOutputs(readModel(file.bytes), (name) => name === output)
    return openModel(file, attend(model), threads)
  })
}

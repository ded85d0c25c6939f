import type { InferenceSession } from 'onnxruntime-node'

import { attendByHead } from '../onnx/attend-by-head.ts'
import { readModel } from '../onnx/model.ts'
import { partOf, withModelFile } from '../onnx/model-file.ts'
import { keepOutputs } from '../onnx/rewrite.ts'
import { openSession } from './session.ts'

/** A network that hears a clip as a whole. Other outputs, such as attention at four bytes a pair of frames, are dropped. */
export function openEncoder(path: string, output: string, threads: number): Promise<InferenceSession> {
  return withModelFile(path, (file) => {
    const model = keepOutputs(readModel(file.bytes), (name) => name === output)
    return openSession(partOf(file, attendByHead(model)), threads)
  })
}

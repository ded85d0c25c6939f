import { InferenceSession } from 'onnxruntime-node'

import type { OnnxModel } from '../onnx/model.ts'
import type { OnnxFile, PartOfFile } from '../onnx/model-file.ts'
import { partOf } from '../onnx/model-file.ts'
import { signWeights } from '../onnx/sign-weights.ts'
import { multipliesSigned } from './signed-products.ts'

/** A model of this file that was rewritten, in the form that this processor multiplies fastest. */
export async function openModel(file: OnnxFile, model: OnnxModel, threads: number): Promise<InferenceSession> {
  return openOnnxSession(partOf(file, (await multipliesSigned()) ? signWeights(model) : model), threads)
}

/** All options written out: the defaults differ between versions and builds. */
export function openOnnxSession(model: PartOfFile | string, threads: number): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: true,
    // a pattern is kept for each shape that ever came, beside the memory of the first run: twice as much, no faster
    enableMemPattern: false,
    logSeverityLevel: 3,
  }
  if (typeof model === 'string') return InferenceSession.create(model, options)
  const extra = { session: { model_external_initializers_file_folder_path: model.weightsIn } }
  return InferenceSession.create(model.bytes, { ...options, extra })
}

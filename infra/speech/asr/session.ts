import { InferenceSession } from 'onnxruntime-node'

import type { Model } from '../onnx/model.ts'
import { writeModel } from '../onnx/model.ts'
import { signWeights } from '../onnx/sign-weights.ts'
import { multipliesSigned } from './signed-products.ts'

/** A model that was read to be rewritten, in the form that this processor multiplies fastest. */
export async function openModel(model: Model, threads: number): Promise<InferenceSession> {
  return openSession(writeModel((await multipliesSigned()) ? signWeights(model) : model), threads)
}

/** All options written out: the defaults differ between versions and builds. */
export function openSession(model: Uint8Array | string, threads: number): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: true,
    enableMemPattern: true,
    logSeverityLevel: 3,
  }
  return typeof model === 'string' ? InferenceSession.create(model, options) : InferenceSession.create(model, options)
}

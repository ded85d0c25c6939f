import { InferenceSession } from 'onnxruntime-node'

import type { PartOfFile } from '../onnx/model-file.ts'

/** All options written out: the defaults differ between versions and builds. */
export function openSession(model: PartOfFile | string, threads: number): Promise<InferenceSession> {
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

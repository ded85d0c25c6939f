import { InferenceSession } from 'onnxruntime-node'

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

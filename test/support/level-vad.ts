import { vadFrameSamples } from '../../infra/speech/vad/segments.ts'
import type { VoiceActivity } from '../../infra/speech/vad/silero.ts'

/** Judges a frame by its level alone, so that a test can draw speech and silence, and with less of it what is in doubt. */
export const levelVad: VoiceActivity = {
  advance: (turns) => {
    const steps = (turns[0]?.frames.length ?? 0) / vadFrameSamples
    const answers = Array.from({ length: steps }, (_, step) =>
      turns.map(({ frames }) =>
        likelihoodOf(peakOf(frames.subarray(step * vadFrameSamples, (step + 1) * vadFrameSamples))),
      ),
    )
    return Promise.resolve(Float32Array.from(answers.flat()))
  },
  close: () => Promise.resolve(),
}

function likelihoodOf(peak: number): number {
  if (peak > 0.1) return 1
  return peak > 0.01 ? 0.3 : 0
}

function peakOf(frame: Float32Array): number {
  let most = 0
  for (const sample of frame) most = Math.max(most, Math.abs(sample))
  return most
}

import type { VoiceActivity } from '../../infra/speech/vad/silero.ts'

/** Judges a frame by its level alone, so that a test can draw speech and silence. */
export const levelVad: VoiceActivity = {
  advance: (turns) =>
    Promise.resolve(Float32Array.from(turns, ({ frame }) => (frame.some((sample) => Math.abs(sample) > 0.1) ? 1 : 0))),
  close: () => Promise.resolve(),
}

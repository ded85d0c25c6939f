import { energyHopSamples } from './energy.ts'

/** The loudest 10 ms of what is spoken close by; voice activity was taught on such levels. */
const spokenLevel = 0.1
/** Below this somebody speaks far away, and voice activity begins to miss the first words of sentences. */
const faintLevel = 0.01
/** What one step of 16 bits sounds like: below it there are no words to raise. */
const silentLevel = 1 / 2 ** 15

/** The same samples as loud as speech is when they are faint, so that a quiet recording is judged as any other. */
export function raisedIfFaint(samples: Float32Array, energyByHop: Float32Array): Float32Array {
  const loudest = Math.sqrt(energyByHop.reduce((most, energy) => Math.max(most, energy), 0) / energyHopSamples)
  if (loudest < silentLevel || loudest >= faintLevel) return samples
  const gain = spokenLevel / loudest
  return samples.map((sample) => sample * gain)
}

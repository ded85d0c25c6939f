import { inputSamples } from '../whole-stretches.ts'

/** More are not kept: a burst goes back to the collector. */
const keptMax = 1_024

/** Frames on their way to the network, used again and again: thousands a second would be the collector's main work. */
export class Sheets {
  readonly #free: Float32Array[] = []

  take(): Float32Array {
    return this.#free.pop() ?? new Float32Array(inputSamples)
  }

  give(sheet: Float32Array): void {
    if (this.#free.length < keptMax) this.#free.push(sheet)
  }
}

import { pauseSamples } from '../../../../actors/conversation/ports.ts'

/** After so much of it there may be a pause: what was said before it can be looked at. */
const hushSamples = pauseSamples / 2

/** How much of a turn came, and how much of its end is silence; in samples since its beginning. */
export class LiveSilence {
  #came = 0
  #quiet = 0

  hear(samples: number, quiet: number): void {
    this.#came = samples
    this.#quiet = quiet
  }

  get came(): number {
    return this.#came
  }

  get isBegun(): boolean {
    return this.#quiet > 0
  }

  get isHush(): boolean {
    return this.#quiet >= hushSamples
  }

  get isPause(): boolean {
    return this.#quiet >= pauseSamples
  }

  /** Up to there all was said that was said: nobody spoke since, nor shortly before. */
  isAllUpTo(to: number): boolean {
    return this.isHush && to >= this.#came - this.#quiet + hushSamples
  }
}

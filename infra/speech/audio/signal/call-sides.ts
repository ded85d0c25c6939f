import { recogniserRate } from '../../../../actors/conversation/ports.ts'

/** Whether the two channels of a recording are the two sides of a call, by a first part of it. */
interface SideJudge {
  /** One array a channel, of one length. */
  push(left: Float32Array, right: Float32Array): void
  /** Undefined while it may be either. */
  readonly areSides: boolean | undefined
}

const frameSamples = recogniserRate / 50
/** Mean square of a frame in which somebody speaks: -40 dB of full scale. */
const leastPower = 1e-4
/** 20 dB: in a room, another's microphone hears more than that of whoever speaks. */
const aloneFactor = 100
/** Each side must be heard alone for so long… */
const aloneFrames = 2 * 50
/** …and in so much of the time somebody is: where both speak at once, nobody is. */
const aloneShare = 0.6
/** Of somebody speaking, after which a recording with as little of it has no sides. */
const enoughFrames = 10 * 50
const togetherShare = 0.3

export function createSideJudge(): SideJudge {
  const alone = [0, 0]
  let active = 0

  function take(left: number, right: number): void {
    const [louder, quieter, side] = left > right ? [left, right, 0] : [right, left, 1]
    if (louder / frameSamples < leastPower) return
    active += 1
    if (louder > aloneFactor * quieter) alone[side]! += 1
  }

  return {
    push(left, right) {
      for (let at = 0; at + frameSamples <= left.length; at += frameSamples)
        take(powerOf(left.subarray(at, at + frameSamples)), powerOf(right.subarray(at, at + frameSamples)))
    },
    get areSides() {
      const share = active === 0 ? 0 : (alone[0]! + alone[1]!) / active
      if (Math.min(...alone) >= aloneFrames && share >= aloneShare) return true
      return active >= enoughFrames && share < togetherShare ? false : undefined
    },
  }
}

function powerOf(samples: Float32Array): number {
  let power = 0
  for (const sample of samples) power += sample * sample
  return power
}

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { lent } from './lent.ts'

/** The voice of one frame. */
interface FramePitch {
  readonly hertz: number
  /** 0 is noise or silence, 1 is perfectly periodic. */
  readonly voicing: number
}

// Pitch by the YIN method (de Cheveigné and Kawahara 2002) at half the rate: a quarter of the work, and enough for voices.
const slowRate = recogniserRate / 2
const windowSamples = slowRate / 40
const shortestLag = Math.floor(slowRate / 500)
const longestLag = Math.ceil(slowRate / 62)
const dipBelow = 0.15
/** Lags that are multiplied in one pass: each sample that was read serves all of them. More do not fit into registers. */
const lagsAtOnce = 6
const lags = Math.ceil((longestLag + 1) / lagsAtOnce) * lagsAtOnce
const silent: FramePitch = { hertz: 0, voicing: 0 }

/** Answers for frames of `hop` samples, cheapest in their order. */
export function pitchTracker(samples: Float32Array, hop: number): (frame: number) => FramePitch {
  const slow = halved(samples)
  const length = Math.floor(samples.length / 2)
  const slowHop = hop / 2
  const energy = risingEnergy(slow, length)
  const productsFrom = windowProducts(slow, slowHop)

  return (frame) => {
    const start = Math.round(frame * slowHop - (windowSamples + longestLag) / 2)
    if (start < 0 || start + windowSamples + longestLag + 1 >= length) return silent
    const products = productsFrom(start)
    const own = energy[start + windowSamples]! - energy[start]!
    let sum = 0
    for (let lag = 1; lag <= longestLag + 1; lag += 1) {
      const moved = energy[start + lag + windowSamples]! - energy[start + lag]!
      const total = Math.max(0, own + moved - 2 * products[lag]!)
      sum += total
      difference[lag] = sum === 0 ? 1 : (total * lag) / sum
    }
    const best = deepest()
    return { hertz: slowRate / (best + vertex(best)), voicing: Math.max(0, 1 - difference[best]!) }
  }
}

const difference = new Float64Array(longestLag + 2).fill(1, 0, 1)

/** The first dip that is deep enough, else the deepest. */
function deepest(): number {
  let best = 0
  for (let lag = shortestLag; lag <= longestLag; lag += 1) {
    const isDip = difference[lag]! <= difference[lag + 1]!
    if (isDip && difference[lag]! < dipBelow) return lag
    if (best === 0 || difference[lag]! < difference[best]!) best = lag
  }
  return best
}

/** Where a parabola through three neighbours has its lowest point: lags are whole, pitches are not. */
function vertex(lag: number): number {
  const [before, here, after] = [difference[lag - 1]!, difference[lag]!, difference[lag + 1]!]
  const curve = before - 2 * here + after
  return curve <= 0 ? 0 : Math.max(-0.5, Math.min(0.5, (before - after) / (2 * curve)))
}

interface Block {
  start: number
  /** By lag: the sum of each sample times the one that much later. */
  readonly products: Float64Array
}

/** Windows of neighbouring frames overlap, so that each block of products is made once and serves several of them. */
function windowProducts(slow: Float32Array, slowHop: number): (start: number) => Float64Array {
  const blockSamples = greatestDivisor(windowSamples, slowHop)
  const blocks = Array.from({ length: windowSamples / blockSamples }, (): Block => {
    return { start: -1, products: new Float64Array(lags + 1) }
  })
  const products = new Float64Array(lags + 1)

  return (from) => {
    products.fill(0)
    for (let start = from; start < from + windowSamples; start += blockSamples) {
      const block = blocks[Math.floor(start / blockSamples) % blocks.length]!
      if (block.start !== start) {
        block.start = start
        multiply(slow, block, blockSamples)
      }
      for (let lag = 1; lag <= longestLag + 1; lag += 1) products[lag] = products[lag]! + block.products[lag]!
    }
    return products
  }
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other)
}

/** What a block of samples is multiplied with, itself included, widened once instead of for every lag. */
const near = new Float64Array(windowSamples + lags + lagsAtOnce)

function multiply(slow: Float32Array, { start, products }: Block, length: number): void {
  for (let at = 0; at < length + lags; at += 1) near[at] = slow[start + at]!
  for (let lag = 1; lag < lags; lag += lagsAtOnce) {
    let [first, second, third, fourth, fifth, sixth] = [0, 0, 0, 0, 0, 0]
    let [one, two, three, four, five] = [near[lag]!, near[lag + 1]!, near[lag + 2]!, near[lag + 3]!, near[lag + 4]!]
    for (let at = 0; at < length; at += 1) {
      const here = near[at]!
      const six = near[at + lag + 5]!
      first += here * one
      second += here * two
      third += here * three
      fourth += here * four
      fifth += here * five
      sixth += here * six
      one = two
      two = three
      three = four
      four = five
      five = six
    }
    products[lag] = first
    products[lag + 1] = second
    products[lag + 2] = third
    products[lag + 3] = fourth
    products[lag + 4] = fifth
    products[lag + 5] = sixth
  }
}

const slowCopy = lent((length) => new Float32Array(length))
const energySums = lent((length) => new Float64Array(length))

/** Followed by as many zeros as the last pass over lags may read beyond the end. */
function halved(samples: Float32Array): Float32Array {
  const length = Math.floor(samples.length / 2)
  const slow = slowCopy(length + lagsAtOnce)
  for (let at = 1; at < length; at += 1)
    slow[at] = 0.25 * samples[2 * at - 1]! + 0.5 * samples[2 * at]! + 0.25 * samples[2 * at + 1]!
  slow[0] = 0.5 * (samples[0] ?? 0) + 0.25 * (samples[1] ?? 0)
  return slow.fill(0, length)
}

/** The energy of all samples before each. */
function risingEnergy(slow: Float32Array, length: number): Float64Array {
  const energy = energySums(length + 1)
  energy[0] = 0
  for (let at = 0; at < length; at += 1) energy[at + 1] = energy[at]! + slow[at]! * slow[at]!
  return energy
}

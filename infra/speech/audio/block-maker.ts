import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { ResamplerCalls } from './ffmpeg/decoding-calls.ts'
import { isRate, refuse } from './open-media.ts'

/**
 * Decoded frames of any rate, format and number of channels into blocks at 16 kHz with a fixed number of channels.
 * One resampler runs through the whole file, so no block edge is audible; it is renewed only where the source changes.
 */
export interface BlockMaker {
  /** The one that FFmpeg holds now. */
  addFrame(): void
  addSilence(seconds: number): void
  flush(): void
  /** Of all samples that are made from the first on, those from `from` to `to` alone are given; said before there are any. */
  keep(wanted: KeptSamples): void
  /** Nothing that comes now is given any more. */
  readonly isFull: boolean
  /** The next full block, channel after channel; with `rest` also one that is not full. */
  take(rest: boolean): Uint8Array | undefined
  /** That are given. */
  readonly seconds: number
  /** The same, with what is not given. */
  readonly madeSeconds: number
}

interface KeptSamples {
  readonly from: number
  readonly to: number
}

const blockSamples = recogniserRate / 2
/** Some float files hold garbage; nothing downstream should ever meet an infinity. */
const loudest = 8

export function createBlockMaker(resampler: ResamplerCalls, channels: number): BlockMaker {
  const lines = Array.from({ length: channels }, () => new Line())
  const window = createWindow()
  let samples = 0

  function append(all: readonly Float32Array[]): void {
    const planes = window.wantedOf(all)
    samples += planes[0]?.length ?? 0
    // a source that loses a channel half way keeps its lines: the last channel stands in for the missing ones
    lines.forEach((line, index) => line.push(sane(planes[Math.min(index, planes.length - 1)]!)))
  }

  function flush(): void {
    if (resampler.isOpen) append(resampler.rest())
  }

  return {
    addFrame() {
      if (!resampler.fits) {
        flush()
        openResampler(resampler, channels === 1)
      }
      append(resampler.resample())
    },
    addSilence(seconds) {
      append([new Float32Array(Math.round(seconds * recogniserRate))])
    },
    flush,
    keep: (wanted) => window.keep(wanted),
    get isFull() {
      return window.isOver
    },
    take(rest) {
      const ready = lines[0]!.length
      if (ready === 0 || (ready < blockSamples && !rest)) return undefined
      const size = Math.min(ready, blockSamples)
      const block = new Float32Array(size * channels)
      lines.forEach((line, index) => line.moveInto(block.subarray(index * size, (index + 1) * size)))
      return new Uint8Array(block.buffer)
    },
    get seconds() {
      return samples / recogniserRate
    },
    get madeSeconds() {
      return window.made / recogniserRate
    },
  }
}

/** Lets through what is wanted of all that is made. */
function createWindow() {
  let kept: KeptSamples = { from: 0, to: Infinity }
  let made = 0
  return {
    keep(wanted: KeptSamples): void {
      kept = wanted
    },
    wantedOf(planes: readonly Float32Array[]): readonly Float32Array[] {
      const length = planes[0]?.length ?? 0
      const from = Math.min(length, Math.max(0, kept.from - made))
      const to = Math.min(length, Math.max(from, kept.to - made))
      made += length
      return to - from === length ? planes : planes.map((plane) => plane.subarray(from, to))
    },
    get made() {
      return made
    },
    get isOver() {
      return made >= kept.to
    },
  }
}

/** Flat to 7.1 kHz and closed at 8 kHz, like our own resampler for realtime; measured in the tests of the decoder. */
const filter = { rate: recogniserRate, taps: 96, cutoff: 0.95, kaiserBeta: 9 }

function openResampler(resampler: ResamplerCalls, mixed: boolean): void {
  const { frameRate } = resampler
  if (!isRate(frameRate)) refuse(`The audio has ${frameRate} samples a second, which is not supported.`)
  const outcome = resampler.open({ ...filter, mixed })
  if (outcome === 'not sound') refuse('The audio track does not decode to sound.')
  if (outcome !== 'opened') refuse('The audio changes into a sample format that is not supported.')
}

function sane(samples: Float32Array): Float32Array {
  for (let index = 0; index < samples.length; index += 1) {
    const sample = samples[index]!
    if (!(Math.abs(sample) <= loudest)) samples[index] = Number.isNaN(sample) ? 0 : Math.sign(sample) * loudest
  }
  return samples
}

/** Samples of one channel that wait for a full block. */
class Line {
  #pieces: Float32Array[] = []
  length = 0

  push(samples: Float32Array): void {
    if (samples.length === 0) return
    this.#pieces.push(samples)
    this.length += samples.length
  }

  moveInto(target: Float32Array): void {
    let at = 0
    while (at < target.length) {
      const piece = this.#pieces[0]!
      const part = piece.subarray(0, target.length - at)
      target.set(part, at)
      at += part.length
      if (part.length === piece.length) this.#pieces.shift()
      else this.#pieces[0] = piece.subarray(part.length)
    }
    this.length -= target.length
  }
}

import { AV_CHANNEL_ORDER_UNSPEC, AV_SAMPLE_FMT_FLTP } from 'node-av/constants'
import type { AVPixelFormat, AVSampleFormat } from 'node-av/constants'
import { SoftwareResampleContext } from 'node-av/lib'
import type { Frame } from 'node-av/lib'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { isRate, refuse } from './open-media.ts'

/**
 * Decoded frames of any rate, format and number of channels into blocks at 16 kHz with a fixed number of channels.
 * One resampler runs through the whole file, so no block edge is audible; it is renewed only where the source changes.
 */
export interface BlockMaker {
  add(frame: Frame): void
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

export function createBlockMaker(channels: number): BlockMaker {
  const lines = Array.from({ length: channels }, () => new Line())
  let converter: Converter | undefined
  const window = createWindow()
  let samples = 0

  function append(all: readonly Float32Array[]): void {
    const planes = window.wantedOf(all)
    samples += planes[0]?.length ?? 0
    if (channels === 1) return lines[0]!.push(average(planes))
    // a source that loses a channel half way keeps its lines: the last channel stands in for the missing ones
    lines.forEach((line, index) => line.push(sane(planes[Math.min(index, planes.length - 1)]!)))
  }

  return {
    add(frame) {
      if (!converter?.fits(frame)) {
        if (converter) append(converter.flush())
        converter = createConverter(frame)
      }
      append(converter.convert(frame))
    },
    addSilence(seconds) {
      append([new Float32Array(Math.round(seconds * recogniserRate))])
    },
    flush() {
      if (converter) append(converter.flush())
      converter = undefined
    },
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

interface Converter {
  fits(frame: Frame): boolean
  convert(frame: Frame): Float32Array[]
  flush(): Float32Array[]
}

/** Flat to 7.1 kHz and closed at 8 kHz, like our own resampler for realtime; measured in the tests of the decoder. */
const filter = { filter_size: 96, cutoff: 0.95, filter_type: 'kaiser', kaiser_beta: 9 }

function createConverter(like: Frame): Converter {
  const { sampleRate, channels, format } = like
  if (!isRate(sampleRate)) refuse(`The audio has ${sampleRate} samples a second, which is not supported.`)
  if (!isSampleFormat(format)) refuse('The audio track does not decode to sound.')
  const layout = { nbChannels: channels, order: AV_CHANNEL_ORDER_UNSPEC, mask: 0n }
  const context = new SoftwareResampleContext()
  context.allocSetOpts2(layout, AV_SAMPLE_FMT_FLTP, recogniserRate, layout, format, sampleRate)
  for (const [name, value] of Object.entries(filter)) context.setOption(name, value)
  if (context.init() < 0) refuse('The audio changes into a sample format that is not supported.')

  function run(input: Buffer[] | null, count: number): Float32Array[] {
    const room = context.getOutSamples(count) + 1
    const output = Array.from({ length: channels }, () => Buffer.from(new ArrayBuffer(room * 4)))
    const written = Math.max(0, context.convertSync(output, room, input, count))
    return output.map((plane) => new Float32Array(plane.buffer, 0, written))
  }

  return {
    fits: (frame) => frame.sampleRate === sampleRate && frame.channels === channels && frame.format === format,
    convert: (frame) => run(frame.extendedData ?? frame.data, frame.nbSamples),
    flush() {
      const rest = run(null, 0)
      context.free()
      return rest
    },
  }
}

/** The binding gives frames of audio and of pictures one type; the numbers of both kinds of formats overlap. */
function isSampleFormat(format: AVPixelFormat | AVSampleFormat): format is AVSampleFormat {
  return format >= 0
}

function average(planes: readonly Float32Array[]): Float32Array {
  const first = planes[0]
  if (!first) return new Float32Array(0)
  const mixed = new Float32Array(first.length)
  for (const plane of planes) for (let index = 0; index < mixed.length; index += 1) mixed[index]! += plane[index]!
  for (let index = 0; index < mixed.length; index += 1) mixed[index]! /= planes.length
  return sane(mixed)
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

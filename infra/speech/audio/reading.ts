import { AV_NOPTS_VALUE, AVERROR_EOF, AVERROR_INVALIDDATA } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import type { Packet } from 'node-av/lib'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { RecordingPart } from '../../../actors/run/state.ts'
import type { BlockMaker } from './block-maker.ts'
import type { Encountered } from './damage.ts'
import type { Media } from './open-media.ts'
import { createTimeline } from './timeline.ts'

/** Only ever used in the decoder's child process, as what opens the file is. */
interface Reading {
  /** False at the end of the file, or where it breaks off. */
  readInto(packet: Packet): boolean
  /** Where the next packet is in the recording, as long as packets come before the part and are not decoded. */
  readonly skippedSeconds: number
  /** All that was met, when the last sample is out. */
  finish(): Encountered
}

/** Packets before the part are read and not decoded: that is cheap, and tells times exactly in every format, which seeking does not. */
export function createReading(media: Media, blocks: BlockMaker, part: RecordingPart = { start: 0 }): Reading {
  const { input, stream, decoder } = media
  const { timeOf, tickSeconds } = clockOf(media)
  const frame = new Frame()
  frame.alloc()
  const met = { packets: 0, lost: 0, ruined: 0, brokeOff: false }
  const timeline = createTimeline(part)
  let isPlaced = false

  /** The first frame says where the decoding begins, after what was skipped. */
  function place(): void {
    const begins = timeline.beginAt(timeOf(frame.pts))
    const samplesTo = (seconds: number): number => Math.round((seconds - begins) * recogniserRate)
    blocks.keep({ from: samplesTo(part.start), to: samplesTo(part.end ?? Infinity) })
    isPlaced = true
  }

  function receive(): void {
    while (decoder.receiveFrameSync(frame) >= 0) {
      if (!isPlaced) place()
      const gap = timeline.gapBefore(timeOf(frame.pts))
      if (gap > 0) blocks.addSilence(gap)
      blocks.add(frame)
      timeline.pass(frame.nbSamples / frame.sampleRate)
      frame.unref()
    }
  }

  return {
    get skippedSeconds() {
      return timeline.skippedSeconds
    },
    readInto(packet) {
      const outcome = input.readFrameSync(packet)
      met.brokeOff = outcome < 0 && outcome !== AVERROR_EOF
      if (outcome < 0) return false
      if (
        packet.streamIndex === stream.index &&
        !timeline.isSkipped(timeOf(packet.pts), Number(packet.duration) * tickSeconds)
      ) {
        met.packets += 1
        const taken = decoder.sendPacketSync(packet)
        if (taken < 0) met.lost += 1
        if (taken === AVERROR_INVALIDDATA) met.ruined += 1
        receive()
      }
      packet.unref()
      return true
    },
    finish() {
      decoder.sendPacketSync(null)
      receive()
      blocks.flush()
      frame.free()
      const { clockSeconds, clockJumped, skippedSeconds } = timeline
      const endSeconds = skippedSeconds + blocks.madeSeconds
      return { ...met, clockSeconds, clockJumped, decodedSeconds: blocks.seconds, endSeconds }
    },
  }
}

function clockOf({ stream, startSeconds }: Media) {
  const tickSeconds = stream.timeBase.num / stream.timeBase.den
  const timeOf = (pts: bigint): number | undefined =>
    pts === AV_NOPTS_VALUE ? undefined : Number(pts) * tickSeconds - startSeconds
  return { tickSeconds, timeOf }
}

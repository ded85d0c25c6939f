import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { RecordingPart } from '../../../actors/run/state.ts'
import type { BlockMaker } from './block-maker.ts'
import type { Encountered } from './damage.ts'
import type { Media } from './open-media.ts'
import { createTimeline } from './timeline.ts'

/** Only ever used in the decoder's child process, as what opens the file is. */
interface Reading {
  /** False at the end of the file, or where it breaks off. */
  readOn(): boolean
  /** Where the next packet is in the recording, as long as packets come before the part and are not decoded. */
  readonly skippedSeconds: number
  /** All that was met, when the last sample is out. */
  finish(): Encountered
}

/** Packets before the part are read and not decoded: that is cheap, and tells times exactly in every format, which seeking does not. */
export function createReading(media: Media, blocks: BlockMaker, part: RecordingPart = { start: 0 }): Reading {
  const { startSeconds } = media
  const { reading } = media.ffmpeg
  const onTheClock = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds - startSeconds)
  const met = { packets: 0, lost: 0, ruined: 0, brokeOff: false }
  const timeline = createTimeline(part)
  let isPlaced = false

  /** The first frame says where the decoding begins, after what was skipped. */
  function place(): void {
    const begins = timeline.beginAt(onTheClock(reading.frameAt))
    const samplesTo = (seconds: number): number => Math.round((seconds - begins) * recogniserRate)
    blocks.keep({ from: samplesTo(part.start), to: samplesTo(part.end ?? Infinity) })
    isPlaced = true
  }

  function receive(): void {
    while (reading.receiveFrame()) {
      if (!isPlaced) place()
      const gap = timeline.gapBefore(onTheClock(reading.frameAt))
      if (gap > 0) blocks.addSilence(gap)
      blocks.addFrame()
      timeline.pass(reading.frameSeconds)
    }
  }

  function decode(): void {
    if (timeline.isSkipped(onTheClock(reading.packetAt), reading.packetSeconds ?? 0)) return
    met.packets += 1
    const taken = reading.decodePacket()
    if (taken !== 'taken') met.lost += 1
    if (taken === 'ruined') met.ruined += 1
    receive()
  }

  return {
    get skippedSeconds() {
      return timeline.skippedSeconds
    },
    readOn() {
      const outcome = reading.readPacket()
      met.brokeOff = outcome === 'broken off'
      if (outcome === 'of the track') decode()
      return outcome === 'of the track' || outcome === 'of another'
    },
    finish() {
      reading.decodeRest()
      receive()
      blocks.flush()
      const { clockSeconds, clockJumped, skippedSeconds } = timeline
      const endSeconds = skippedSeconds + blocks.madeSeconds
      return { ...met, clockSeconds, clockJumped, decodedSeconds: blocks.seconds, endSeconds }
    },
  }
}

import { createInterface } from 'node:readline'
import { setImmediate as breathe } from 'node:timers/promises'

import { AV_NOPTS_VALUE, AVERROR_EOF, AVERROR_INVALIDDATA } from 'node-av/constants'
import { Frame, Packet } from 'node-av/lib'

import { createBlockMaker } from './block-maker.ts'
import type { BlockMaker } from './block-maker.ts'
import { encodeMessage, decoderMessageKind } from './decoder-protocol.ts'
import type { DecodeRequest, DecodingFinished, Opened, Refused, Warning } from './decoder-protocol.ts'
import { openMedia, refuse, MediaRefusal } from './open-media.ts'
import type { Media } from './open-media.ts'

/**
 * The decoder's own process. It is expendable: whatever a file does to it, only this process dies of it. The synchronous
 * calls are on purpose; the asynchronous ones of this binding yield nothing on Node 20.
 */

/** A track that starts late or has a hole in its time stamps is filled with silence, so that later times stay right. */
const smallestGapSeconds = 0.1
const largestGapSeconds = 60
/** Freed frames are only collected between turns of the event loop. */
const packetsBetweenBreaths = 200
const tolerableShortfallSeconds = 0.5
/** Each is cut by itself, which holds some minutes of it in memory. */
const maxChannelsApart = 8
const tolerableShortfallShare = 0.01
/** Shorter than any word, and what a decoder may make of a few bytes of noise. */
const leastSeconds = 0.1
/**
 * Noise under the header of a codec that has no checksums: a third of it and more is refused packet by packet. What the
 * decoder only does not know, such as the silences of telephones, is no damage.
 */
const mostRuinedShare = 1 / 5
const fewestRuined = 3

await send(decoderMessageKind.ready, new Uint8Array(0))
for await (const line of createInterface({ input: process.stdin })) {
  const request: DecodeRequest = JSON.parse(line)
  await serve(request)
}

async function serve(request: DecodeRequest): Promise<void> {
  try {
    await sendJson(decoderMessageKind.finished, await decode(request))
  } catch (error) {
    if (!(error instanceof MediaRefusal)) throw error
    await sendJson(decoderMessageKind.refused, error.refused)
  }
}

async function decode(request: DecodeRequest): Promise<DecodingFinished> {
  const media = openMedia(request)
  const { declaredSeconds } = media
  if (declaredSeconds !== null && declaredSeconds > request.maxSeconds)
    refuseLength(declaredSeconds, request.maxSeconds)
  const channels = request.channels === 'mix' ? 1 : Math.max(1, media.stream.codecpar.channels)
  if (channels > maxChannelsApart)
    refuse(
      `The audio has ${channels} channels; ${maxChannelsApart} is the limit for keeping them apart. Have them mixed.`,
    )
  await sendJson(decoderMessageKind.opened, { channels, declaredSeconds } satisfies Opened)

  const blocks = createBlockMaker(channels)
  const reading = createReading(media, blocks, request.media.missingBytes)
  const packet = new Packet()
  packet.alloc()
  for (let packets = 1; reading.readInto(packet); packets += 1) {
    await sendBlocks(blocks, false)
    if (blocks.seconds > request.maxSeconds) refuseLength(blocks.seconds, request.maxSeconds)
    if (packets % packetsBetweenBreaths === 0) await breathe()
  }
  reading.finish()
  const warnings = reading.warnings()
  if (blocks.seconds === 0 || (warnings.length > 0 && blocks.seconds < leastSeconds))
    refuse('No audio could be decoded from the file: it is empty or damaged.')
  if (blocks.seconds < leastSeconds)
    refuse(`The recording has less than ${leastSeconds} s of sound, in which nothing can be heard: send all of it.`)
  reading.refuseRuin()
  await sendBlocks(blocks, true)
  media.decoder.freeContext()
  media.input.closeInputSync()
  return { warnings }
}

interface Reading {
  /** False at the end of the file, or where it breaks off. */
  readInto(packet: Packet): boolean
  finish(): void
  /** So much is damaged that the rest is not what was recorded, or was never sound. */
  refuseRuin(): void
  warnings(): Warning[]
}

function createReading(media: Media, blocks: BlockMaker, missingBytes: number): Reading {
  const { input, stream, decoder } = media
  const tickSeconds = stream.timeBase.num / stream.timeBase.den
  const frame = new Frame()
  frame.alloc()
  let packets = 0
  let lost = 0
  let ruined = 0
  let brokeOff = false
  let clockJumped = false
  let clock = 0 // seconds of source time so far, silence included

  function fillGap(): void {
    if (frame.pts === AV_NOPTS_VALUE) return
    const at = Number(frame.pts) * tickSeconds - media.startSeconds
    const gap = at - clock
    if (Math.abs(gap) < smallestGapSeconds) return
    if (gap > 0 && gap <= largestGapSeconds) blocks.addSilence(gap)
    else clockJumped = true
    clock = at
  }

  function receive(): void {
    while (decoder.receiveFrameSync(frame) >= 0) {
      fillGap()
      blocks.add(frame)
      clock += frame.nbSamples / frame.sampleRate
      frame.unref()
    }
  }

  return {
    readInto(packet) {
      const outcome = input.readFrameSync(packet)
      brokeOff = outcome < 0 && outcome !== AVERROR_EOF
      if (outcome < 0) return false
      if (packet.streamIndex === stream.index) {
        packets += 1
        const taken = decoder.sendPacketSync(packet)
        if (taken < 0) lost += 1
        if (taken === AVERROR_INVALIDDATA) ruined += 1
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
    },
    refuseRuin() {
      if (ruined >= fewestRuined && ruined > packets * mostRuinedShare)
        refuse(`The audio is damaged: ${ruined} of ${packets} packets cannot be decoded. Send the original recording.`)
    },
    warnings() {
      const found: Warning[] = []
      const cut = whatIsMissing()
      if (cut) found.push({ code: 'truncated', message: `The file is incomplete: ${cut}.` })
      if (lost > 0)
        found.push({
          code: 'damaged',
          message: `${lost} of ${packets} packets of the audio are damaged and were left out.`,
        })
      if (clockJumped)
        found.push({ code: 'clock', message: 'The time stamps of the file jump; times after a jump may be wrong.' })
      return found
    },
  }

  function whatIsMissing(): string | undefined {
    const declared = media.declaredSeconds ?? 0
    // some containers count from zero on their clock, others from the first sample: take the kinder view
    const shortfall = declared - media.startSeconds - Math.max(clock, blocks.seconds)
    if (shortfall > Math.max(tolerableShortfallSeconds, declared * tolerableShortfallShare))
      return `its header promises ${round(declared)} s, ${round(blocks.seconds)} s could be read`
    if (missingBytes > 0) return `its header promises ${missingBytes} bytes more than there are`
    return brokeOff ? `it breaks off after ${round(blocks.seconds)} s` : undefined
  }
}

function refuseLength(seconds: number, maxSeconds: number): never {
  const reason = `The audio is longer than the limit of ${round(maxSeconds)} s (it has ${round(seconds)} s or more). Split it and submit the parts.`
  throw new MediaRefusal({ code: 'too_large', reason })
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

async function sendBlocks(blocks: BlockMaker, rest: boolean): Promise<void> {
  for (let block = blocks.take(rest); block; block = blocks.take(rest)) await send(decoderMessageKind.block, block)
}

function sendJson(kind: number, value: Opened | DecodingFinished | Refused): Promise<void> {
  return send(kind, Buffer.from(JSON.stringify(value)))
}

/** Resolves when the parent has room again: this is what keeps a long file out of memory on both sides. */
function send(kind: number, payload: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(encodeMessage(kind, payload), (error) => (error ? reject(error) : resolve()))
  })
}

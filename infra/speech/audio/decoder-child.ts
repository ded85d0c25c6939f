import { createInterface } from 'node:readline'
import { setImmediate as breathe } from 'node:timers/promises'

import { AV_NOPTS_VALUE, AVERROR_EOF, AVERROR_INVALIDDATA } from 'node-av/constants'
import { Frame, Packet } from 'node-av/lib'

import { sendMessage } from '../../process/messages.ts'
import { createBlockMaker } from './block-maker.ts'
import type { BlockMaker } from './block-maker.ts'
import { inTenths, warningsOf, whyUseless } from './damage.ts'
import type { Encountered } from './damage.ts'
import { decoderMessageKind } from './decoder-protocol.ts'
import type { DecodeRequest, DecodingFinished, Opened, Refused } from './decoder-protocol.ts'
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
/** Each is cut by itself, which holds some minutes of it in memory. */
const maxChannelsApart = 8

await sendMessage(decoderMessageKind.ready, new Uint8Array(0))
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
  const reading = createReading(media, blocks)
  const packet = new Packet()
  packet.alloc()
  for (let packets = 1; reading.readInto(packet); packets += 1) {
    await sendBlocks(blocks, false)
    if (blocks.seconds > request.maxSeconds) refuseLength(blocks.seconds, request.maxSeconds)
    if (blocks.seconds > request.plausibleSeconds) refuseRepetition(request)
    if (packets % packetsBetweenBreaths === 0) await breathe()
  }
  const met = reading.finish()
  const warnings = warningsOf(met, { ...media, missingBytes: request.media.missingBytes })
  const useless = whyUseless(met, warnings)
  if (useless !== undefined) refuse(useless)
  await sendBlocks(blocks, true)
  media.decoder.freeContext()
  media.input.closeInputSync()
  return { warnings }
}

interface Reading {
  /** False at the end of the file, or where it breaks off. */
  readInto(packet: Packet): boolean
  /** All that was met, when the last sample is out. */
  finish(): Encountered
}

function createReading({ input, stream, decoder, startSeconds }: Media, blocks: BlockMaker): Reading {
  const tickSeconds = stream.timeBase.num / stream.timeBase.den
  const frame = new Frame()
  frame.alloc()
  const met = { packets: 0, lost: 0, ruined: 0, brokeOff: false, clockJumped: false, clockSeconds: 0 }

  function fillGap(): void {
    if (frame.pts === AV_NOPTS_VALUE) return
    const at = Number(frame.pts) * tickSeconds - startSeconds
    const gap = at - met.clockSeconds
    if (Math.abs(gap) < smallestGapSeconds) return
    if (gap > 0 && gap <= largestGapSeconds) blocks.addSilence(gap)
    else met.clockJumped = true
    met.clockSeconds = at
  }

  function receive(): void {
    while (decoder.receiveFrameSync(frame) >= 0) {
      fillGap()
      blocks.add(frame)
      met.clockSeconds += frame.nbSamples / frame.sampleRate
      frame.unref()
    }
  }

  return {
    readInto(packet) {
      const outcome = input.readFrameSync(packet)
      met.brokeOff = outcome < 0 && outcome !== AVERROR_EOF
      if (outcome < 0) return false
      if (packet.streamIndex === stream.index) {
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
      return { ...met, decodedSeconds: blocks.seconds }
    },
  }
}

function refuseLength(seconds: number, maxSeconds: number): never {
  const reason = `The audio is longer than the limit of ${inTenths(maxSeconds)} s (it has ${inTenths(seconds)} s or more). Split it and submit the parts.`
  throw new MediaRefusal({ code: 'too_large', reason })
}

function refuseRepetition({ media, plausibleSeconds }: DecodeRequest): never {
  const reason = `The file has ${media.sizeBytes} bytes and more than ${inTenths(plausibleSeconds)} s of sound, which no recording has: its index repeats itself.`
  throw new MediaRefusal({ code: 'too_large', reason })
}

async function sendBlocks(blocks: BlockMaker, rest: boolean): Promise<void> {
  for (let block = blocks.take(rest); block; block = blocks.take(rest))
    await sendMessage(decoderMessageKind.block, block)
}

function sendJson(kind: number, value: Opened | DecodingFinished | Refused): Promise<void> {
  return sendMessage(kind, Buffer.from(JSON.stringify(value)))
}

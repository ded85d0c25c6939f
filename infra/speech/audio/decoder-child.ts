import { createInterface } from 'node:readline'

import type { RecordingPart } from '../../../actors/run/state.ts'
import { sendMessage } from '../../process/messages.ts'
import { createBlockMaker } from './block-maker.ts'
import type { BlockMaker } from './block-maker.ts'
import { inTenths, warningsOf, whyUseless } from './damage.ts'
import { decoderMessageKind } from './decoder-protocol.ts'
import type { DecodeRequest, DecodingFinished, Opened, Refused } from './decoder-protocol.ts'
import { openMedia, refuse, MediaRefusal } from './open-media.ts'
import { endsLate, partSeconds, whyBeyond } from './part.ts'
import { createReading } from './reading.ts'

/** The decoder's own process. It is expendable: whatever a file does to it, only this process dies of it. */

/** To be heard of on the way to a part that is hours away. */
const packetsBetweenSigns = 20_000
/** Each is cut by itself, which holds some minutes of it in memory. */
const maxChannelsApart = 8
/** What a header promises after the part is nobody's concern. */
const nothingMore = { declaredSeconds: null, startSeconds: 0, missingBytes: 0 }

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

function channelsOf({ channels: mode }: DecodeRequest, recorded: number): number {
  if (mode === 'mix' || (mode === 'auto' && recorded !== 2)) return 1
  return Math.max(1, recorded)
}

async function decode(request: DecodeRequest): Promise<DecodingFinished> {
  const media = openMedia(request)
  const { declaredSeconds } = media
  const { part = { start: 0 } } = request
  const wantedSeconds = partSeconds(part, declaredSeconds ?? 0)
  if (wantedSeconds > request.maxSeconds) refuseLength(wantedSeconds, request.maxSeconds)
  const channels = channelsOf(request, media.channels)
  if (channels > maxChannelsApart)
    refuse(
      `The audio has ${channels} channels; ${maxChannelsApart} is the limit for keeping them apart. Have them mixed.`,
    )
  await sendJson(decoderMessageKind.opened, { channels, declaredSeconds } satisfies Opened)

  const blocks = createBlockMaker(media.ffmpeg.resampler, channels)
  const reading = createReading(media, blocks, part)
  for (let packets = 1; reading.readOn(); packets += 1) {
    await sendBlocks(blocks, false)
    if (blocks.seconds > request.maxSeconds) refuseLength(blocks.seconds, request.maxSeconds)
    if (reading.skippedSeconds + blocks.madeSeconds > request.plausibleSeconds) refuseRepetition(request)
    if (blocks.isFull) break
    if (packets % packetsBetweenSigns === 0) await sendMessage(decoderMessageKind.skipped, new Uint8Array(0))
  }
  const met = reading.finish()
  refuseBeyond(part, met.endSeconds)
  const { missingBytes } = request.media
  const warnings = warningsOf(met, blocks.isFull ? nothingMore : { ...media, missingBytes })
  const useless = whyUseless(met, warnings)
  if (useless !== undefined) refuse(useless)
  const late = blocks.isFull ? undefined : endsLate(part, met.endSeconds)
  if (late !== undefined) warnings.push({ code: 'part', message: late })
  await sendBlocks(blocks, true)
  return { warnings }
}

function refuseBeyond(part: RecordingPart, recordingSeconds: number): void {
  const reason = whyBeyond(part, recordingSeconds)
  if (reason !== undefined) throw new MediaRefusal({ code: 'invalid_request', reason })
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

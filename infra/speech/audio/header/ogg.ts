import { readStreamInfo } from './flac.ts'
import { lastGranule, pageAt } from './ogg-pages.ts'
import { audioFacts, brokenHeader, impossibleAudio, notAudio } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { HeaderVerdict } from './verdict.ts'

const mostStreams = 8
const mostLeadingPages = 64
const identificationBytes = 64
const opusSampleRate = 48_000
/** No page holds as much audio as this, so a first page that ends later was cut out of a longer broadcast. */
const longestPageSeconds = 60

interface Audio {
  readonly channels: number
  readonly sampleRate: number
  /** Granules before the first that is heard. */
  readonly skipped: number
}

/** Every stream begins with a page of its own that says what it is; pages of audio come after all of those. */
export async function readOgg(bytes: BoundedBytes): Promise<HeaderVerdict> {
  let offset = 0
  let audio: (Audio & { serial: number }) | undefined
  let hasVideo = false
  for (let streams = 0; streams < mostStreams; streams++) {
    const page = await pageAt(bytes, offset)
    if (!page?.beginsStream) break
    const packet = await bytes.upTo(page.bodyStart, Math.min(page.bodyBytes, identificationBytes))
    const found = readIdentification(packet)
    if (found) audio ??= { ...found, serial: page.serial }
    hasVideo ||= isVideo(packet)
    offset = page.bodyStart + page.bodyBytes
  }
  if (!audio) return hasVideo ? notAudio('is an Ogg video without sound') : brokenHeader('Ogg')
  const impossible = impossibleAudio(audio)
  if (impossible) return impossible
  return audioFacts(hasVideo ? 'video/ogg' : 'audio/ogg', await playSeconds(bytes, audio, offset))
}

async function playSeconds(
  bytes: BoundedBytes,
  audio: Audio & { serial: number },
  offset: number,
): Promise<number | null> {
  const first = await firstGranule(bytes, audio.serial, offset)
  const last = await lastGranule(bytes, audio.serial)
  if (last === null) return null
  const begin = first > longestPageSeconds * audio.sampleRate ? first : audio.skipped
  return (last - begin) / audio.sampleRate
}

async function firstGranule(bytes: BoundedBytes, serial: number, start: number): Promise<number> {
  let offset = start
  for (let pages = 0; pages < mostLeadingPages; pages++) {
    const page = await pageAt(bytes, offset)
    if (!page) break
    if (page.serial === serial && page.granule) return page.granule
    offset = page.bodyStart + page.bodyBytes
  }
  return 0
}

function readIdentification(packet: Buffer): Audio | undefined {
  const characters = packet.toString('latin1')
  if (characters.startsWith('OpusHead') && packet.length >= 19)
    return { channels: packet.readUInt8(9), sampleRate: opusSampleRate, skipped: packet.readUInt16LE(10) }
  if (characters.startsWith('\x01vorbis') && packet.length >= 30)
    return { channels: packet.readUInt8(11), sampleRate: packet.readUInt32LE(12), skipped: 0 }
  if (characters.startsWith('Speex   ') && packet.length >= 52)
    return { channels: packet.readUInt32LE(48), sampleRate: packet.readUInt32LE(36), skipped: 0 }
  const flac = characters.startsWith('\x7fFLAC') ? readStreamInfo(packet.subarray(13)) : undefined
  return flac && { channels: flac.channels, sampleRate: flac.sampleRate, skipped: 0 }
}

function isVideo(packet: Buffer): boolean {
  return /^(?:.theora|BBCD|.video|OVP80)/s.test(packet.toString('latin1'))
}

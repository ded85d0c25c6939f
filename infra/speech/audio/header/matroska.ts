import { elementsIn, floatOf, ebmlText, unsignedOf } from './ebml.ts'
import { lastTimestamp } from './matroska-tail.ts'
import { stepsUpTo } from './steps.ts'
import { audioFacts, brokenHeader, impossibleAudio, notAudio } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { Element } from './ebml.ts'
import type { Steps } from './steps.ts'
import type { HeaderVerdict } from './verdict.ts'

const ebmlMagic = 0x1a45dfa3
const id = {
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackType: 0x83,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
} as const
const trackTypes = { video: 1, audio: 2 } as const

const mostElements = 1_024
const defaultTimestampScale = 1_000_000

interface Contents {
  docType: string
  timestampScale: number
  duration?: number
  audio?: { sampleRate: number; channels: number }
  hasVideo: boolean
  hasTracks: boolean
  firstTimestamp: number
}

export function isMatroska(start: Buffer): boolean {
  return start.length >= 4 && start.readUInt32BE(0) === ebmlMagic
}

export async function readMatroska(bytes: BoundedBytes): Promise<HeaderVerdict> {
  const steps = stepsUpTo(mostElements)
  const contents: Contents = {
    docType: '',
    timestampScale: defaultTimestampScale,
    hasVideo: false,
    hasTracks: false,
    firstTimestamp: 0,
  }
  for await (const element of elementsIn(bytes, { start: 0, end: bytes.sizeBytes }, steps)) {
    if (element.id === ebmlMagic) contents.docType = await docTypeOf(bytes, element, steps)
    if (element.id === id.segment) {
      await noteSegment(bytes, contents, { segment: element, steps })
      break
    }
  }
  return verdictOf(bytes, contents)
}

async function verdictOf(bytes: BoundedBytes, contents: Contents): Promise<HeaderVerdict> {
  const { docType, audio, hasVideo } = contents
  if (docType !== 'webm' && docType !== 'matroska') return brokenHeader('WebM or Matroska')
  const name = docType === 'webm' ? 'WebM' : 'Matroska'
  if (!contents.hasTracks) return brokenHeader(name)
  if (!audio) return notAudio(hasVideo ? `is a ${name} video without sound` : `is a ${name} file without a sound track`)
  const impossible = impossibleAudio(audio)
  if (impossible) return impossible
  const ticks = contents.duration ?? (await ticksInTail(bytes, contents))
  const format = docType === 'webm' ? 'webm' : 'x-matroska'
  return audioFacts(
    `${hasVideo ? 'video' : 'audio'}/${format}`,
    ticks === null ? null : (ticks * contents.timestampScale) / 1e9,
  )
}

/** Browsers record without knowing when they will stop, and never write the duration. */
async function ticksInTail(bytes: BoundedBytes, contents: Contents): Promise<number | null> {
  const last = await lastTimestamp(bytes)
  return last === null ? null : last - contents.firstTimestamp
}

async function docTypeOf(bytes: BoundedBytes, header: Element, steps: Steps): Promise<string> {
  for await (const element of elementsIn(bytes, header, steps))
    if (element.id === id.docType) return ebmlText(bytes, element)
  return 'matroska'
}

async function noteSegment(
  bytes: BoundedBytes,
  contents: Contents,
  { segment, steps }: { segment: Element; steps: Steps },
): Promise<void> {
  for await (const element of elementsIn(bytes, segment, steps)) {
    if (element.id === id.info) await noteInfo(bytes, contents, { info: element, steps })
    if (element.id === id.tracks) {
      contents.hasTracks = true
      for await (const entry of elementsIn(bytes, element, steps))
        if (entry.id === id.trackEntry) await noteTrack(bytes, contents, { entry, steps })
    }
    // the audio begins here: what describes it comes before, except in files that nobody but a muxer's test writes
    if (element.id === id.cluster && contents.hasTracks) {
      for await (const child of elementsIn(bytes, element, steps)) {
        if (child.id !== id.timestamp) continue
        contents.firstTimestamp = (await unsignedOf(bytes, child)) ?? 0
        break
      }
      return
    }
  }
}

async function noteInfo(
  bytes: BoundedBytes,
  contents: Contents,
  { info, steps }: { info: Element; steps: Steps },
): Promise<void> {
  for await (const element of elementsIn(bytes, info, steps)) {
    if (element.id === id.timestampScale)
      contents.timestampScale = (await unsignedOf(bytes, element)) || defaultTimestampScale
    if (element.id === id.duration) {
      const duration = await floatOf(bytes, element)
      if (duration) contents.duration = duration
    }
  }
}

async function noteTrack(
  bytes: BoundedBytes,
  contents: Contents,
  { entry, steps }: { entry: Element; steps: Steps },
): Promise<void> {
  let type: number | undefined
  const audio = { sampleRate: 8_000, channels: 1 } // what Matroska says they are unless told
  for await (const element of elementsIn(bytes, entry, steps)) {
    if (element.id === id.trackType) type = await unsignedOf(bytes, element)
    if (element.id !== id.audio) continue
    for await (const field of elementsIn(bytes, element, steps)) {
      if (field.id === id.samplingFrequency) audio.sampleRate = (await floatOf(bytes, field)) ?? audio.sampleRate
      if (field.id === id.channels) audio.channels = (await unsignedOf(bytes, field)) ?? audio.channels
    }
  }
  if (type === trackTypes.video) contents.hasVideo = true
  if (type === trackTypes.audio) contents.audio ??= audio
}

import type { NotAudio } from '../../../../actors/upload/ports.ts'
import type { BoundedBytes } from './bounded-bytes.ts'
import { audioFacts, brokenHeader, impossibleAudio, notAudio } from './verdict.ts'
import type { HeaderVerdict } from './verdict.ts'

/** As they stand in the file: the first three parts of a GUID are little-endian. */
const headerObject = '3026b2758e66cf11a6d900aa0062ce6c'
const fileProperties = 'a1dcab8c47a9cf118ee400c00c205365'
const streamProperties = '9107dcb7b7a9cf118ee600c00c205365'
const audioStream = '409e69f84d5bcf11a8fd00805f5c442b'
const videoStream = 'c0ef19bc4d5bcf11a8fd00805f5c442b'

const mostObjects = 128
const objectHeaderBytes = 24
const headerObjectBytes = 30
const filePropertiesBytes = 92
const audioStreamBytes = 86
const broadcastFlag = 1

interface Contents {
  audio?: { readonly sampleRate: number; readonly channels: number }
  hasVideo: boolean
  seconds: number | null
}

export function isAsf(start: Buffer): boolean {
  return start.toString('hex', 0, 16) === headerObject
}

export async function readAsf(bytes: BoundedBytes): Promise<HeaderVerdict> {
  const header = await bytes.exactly(0, headerObjectBytes)
  if (!header) return brokenHeader('WMA')
  const end = Number(header.readBigUInt64LE(16))
  const contents: Contents = { hasVideo: false, seconds: null }
  let offset = headerObjectBytes
  for (let walked = 0; walked < mostObjects && offset < end; walked++) {
    const object = await bytes.exactly(offset, objectHeaderBytes)
    if (!object) break
    const size = Number(object.readBigUInt64LE(16))
    if (size < objectHeaderBytes) break
    await note(bytes, contents, { kind: object.toString('hex', 0, 16), offset })
    offset += size
  }
  return verdictOf(contents)
}

function verdictOf({ audio, hasVideo, seconds }: Contents): HeaderVerdict {
  if (!audio) return hasVideo ? notAudio('is a Windows Media video without sound') : brokenHeader('WMA')
  const impossible: NotAudio | undefined = impossibleAudio(audio)
  return impossible ?? audioFacts(hasVideo ? 'video/x-ms-asf' : 'audio/x-ms-wma', seconds)
}

async function note(bytes: BoundedBytes, contents: Contents, object: { kind: string; offset: number }): Promise<void> {
  if (object.kind === fileProperties) {
    const body = await bytes.exactly(object.offset, filePropertiesBytes)
    if (body) contents.seconds = playSeconds(body)
  }
  if (object.kind === streamProperties) {
    const body = await bytes.upTo(object.offset, audioStreamBytes)
    const type = body.toString('hex', 24, 40)
    if (type === videoStream) contents.hasVideo = true
    if (type === audioStream && body.length === audioStreamBytes)
      contents.audio ??= { channels: body.readUInt16LE(80), sampleRate: body.readUInt32LE(82) }
  }
}

/** The play duration counts the time a player buffers before it starts, which is not sound. */
function playSeconds(properties: Buffer): number | null {
  if ((properties.readUInt32LE(88) & broadcastFlag) !== 0) return null
  return Number(properties.readBigUInt64LE(64)) / 1e7 - Number(properties.readBigUInt64LE(80)) / 1e3
}

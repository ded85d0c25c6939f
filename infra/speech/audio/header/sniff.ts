import type { NotAudio } from '../../../../actors/upload/ports.ts'
import { bytesFrom } from './bounded-bytes.ts'
import type { BoundedBytes } from './bounded-bytes.ts'
import { containerFormats, sendInstead } from './formats.ts'
import type { ContainerFormat } from './formats.ts'
import { certainRun, findRun } from './frames.ts'
import { afterTags, isTag } from './id3.ts'
import { otherContent } from './other-content.ts'
import { notAudio } from './verdict.ts'
import type { HeaderVerdict } from './verdict.ts'

export const sniffBytes = 4_096
/** Two of the largest frames of AAC and the header of a third. */
const lookBytes = 16 * 1024 + 8
/** As far as the decoder looks for the first frame of an MP3. */
const junkBytes = 64 * 1024

interface Sniffed {
  readonly format: ContainerFormat
  /** The file from where the format begins: after any tags, or what is left of a frame. */
  readonly bytes: BoundedBytes
}

/** Which row of the table a file is, by its content alone: a name and a client's word are never asked. */
export async function sniff(bytes: BoundedBytes): Promise<Sniffed | NotAudio> {
  if (bytes.sizeBytes === 0) return notAudio('is empty')
  const start = await afterTags(bytes)
  const untagged = start === 0 ? bytes : bytesFrom(bytes, start)
  const head = await untagged.upTo(0, lookBytes)
  const format = containerFormats.find(({ begins, afterTag }) => (start === 0 || afterTag) && begins(head))
  if (format) return { format, bytes: untagged }
  const other = start === 0 ? otherContent(head.subarray(0, sniffBytes)) : undefined
  return other ?? (await afterJunk(untagged)) ?? notAudio(start === 0 ? unknownFormat : onlyATag)
}

/** How long it plays, or why it is refused. */
export async function readHeader(file: BoundedBytes): Promise<HeaderVerdict> {
  const sniffed = await sniff(file)
  return 'format' in sniffed ? sniffed.format.read(sniffed.bytes) : sniffed
}

/** What a file is instead of audio when its first `sniffBytes` tell: for one that is still arriving. */
export function otherThanAudio(start: Buffer): NotAudio | undefined {
  return isTag(start) || containerFormats.some(({ begins }) => begins(start)) ? undefined : otherContent(start)
}

const unknownFormat = `is not in a format this service knows: ${sendInstead}`
const onlyATag = 'has an ID3 tag but no MP3, AAC, FLAC or Ogg sound after it: upload the whole file again'

/** Streams cut out of something larger begin in the middle of a frame, and some taggers leave padding. */
async function afterJunk(bytes: BoundedBytes): Promise<Sniffed | undefined> {
  const block = await bytes.upTo(0, junkBytes)
  const found = containerFormats.flatMap((format) => {
    const junk = format.frame && findRun(block, format.frame, certainRun)
    return junk === undefined ? [] : [{ format, junk }]
  })
  const [first] = found.sort((one, other) => one.junk - other.junk)
  return first && { format: first.format, bytes: bytesFrom(bytes, first.junk) }
}

import { readAdts, readAdtsFrame } from './adts.ts'
import { readFlac } from './flac.ts'
import { certainRun, findRun, isRun } from './frames.ts'
import { afterTags } from './id3.ts'
import { readMp3, readMp3Frame } from './mp3.ts'
import { notAudio } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { Verdict } from './verdict.ts'

/** Two of the largest frames of AAC and the header of a third. */
const lookBytes = 16 * 1024 + 8
const junkBytes = 64 * 1024
/** Two frames in a row, or any bytes that happen to begin with a sync word would be sound. */
const leastRun = 2

/** A stream that begins with a frame, if this one does. */
export async function readFramesAt(bytes: BoundedBytes, start: number): Promise<Verdict | undefined> {
  const block = await bytes.upTo(start, lookBytes)
  if (isRun(block, readMp3Frame, leastRun)) return readMp3(bytes, start)
  if (isRun(block, readAdtsFrame, leastRun)) return readAdts(bytes, start)
  return undefined
}

/** What follows an ID3 tag: MP3 mostly, AAC or FLAC now and then. */
export async function readTagged(bytes: BoundedBytes): Promise<Verdict> {
  const start = await afterTags(bytes)
  const magic = await bytes.upTo(start, 4)
  if (magic.toString('latin1') === 'fLaC') return readFlac(bytes, start)
  return (
    (await readFramesAt(bytes, start)) ??
    (await readAfterJunk(bytes, start)) ??
    notAudio('has an ID3 tag but no MP3, AAC or FLAC sound after it: upload the whole file again')
  )
}

/** MP3s cut out of something larger begin in the middle of a frame, and some taggers leave padding. */
export async function readAfterJunk(bytes: BoundedBytes, start: number): Promise<Verdict | undefined> {
  const junk = findRun(await bytes.upTo(start, junkBytes), readMp3Frame, certainRun)
  return junk === undefined ? undefined : readMp3(bytes, start + junk)
}

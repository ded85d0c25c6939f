import { boxesIn } from './boxes.ts'
import { endOfFragments } from './fragments.ts'
import { readMovie } from './movie.ts'
import { stepsUpTo } from './steps.ts'
import { audioFacts, notAudio } from './verdict.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { BoxBody } from './boxes.ts'
import type { Movie, Track } from './movie.ts'
import type { HeaderVerdict } from './verdict.ts'

/** A recording in fragments has two boxes each; after so many, the rest is taken to go on as they did. */
const mostTopBoxes = 1_024
const mostInnerBoxes = 4_096

const firstBoxes = /^(?:ftyp|moov|mdat|wide|free|skip|pnot)$/
/** “I'm free” begins like a box of a gigabyte. */
const typedSize = /^[ -~]{4}$/
const imageBrands = /^(?:hei|hev|mif1|msf1|avif|avis)/
const protectedCodecs = /^(?:enca|drms)$/

interface Layout {
  readonly brand: string
  readonly moov?: BoxBody
  readonly fragments: readonly BoxBody[]
  /** How far the walk got. */
  readonly walkedTo: number
}

export function isMp4(start: Buffer): boolean {
  return firstBoxes.test(start.toString('latin1', 4, 8)) && !typedSize.test(start.toString('latin1', 0, 4))
}

/** MP4, M4A, 3GP and QuickTime. The index may stand before or after the audio, so the walk jumps over the audio. */
export async function readMp4(bytes: BoundedBytes): Promise<HeaderVerdict> {
  const layout = await layoutOf(bytes)
  if (imageBrands.test(layout.brand)) return notAudio('looks like an HEIF or AVIF image, not audio')
  if (!layout.moov)
    return notAudio('is an MP4 without its index (moov): the recording or the upload was cut off, send the whole file')
  const movie = await readMovie(bytes, layout.moov, stepsUpTo(mostInnerBoxes))
  const audio = movie.tracks.find((track) => track.kind === 'soun')
  const hasVideo = movie.tracks.some((track) => track.kind === 'vide')
  if (!audio) return notAudio(hasVideo ? 'is a video without sound' : 'is an MP4 without a sound track')
  if (protectedCodecs.test(audio.codec)) return notAudio('is copy-protected, so its sound cannot be read')
  const fragmented = movie.fragments ? await secondsOfFragments(bytes, { layout, movie, audio }) : undefined
  return audioFacts(contentTypeOf(layout.brand, hasVideo), fragmented ?? secondsOfIndex(movie, audio))
}

async function layoutOf(bytes: BoundedBytes): Promise<Layout> {
  let brand = 'qt  ' // QuickTime is older than the box that names a brand
  let moov: BoxBody | undefined
  const fragments: BoxBody[] = []
  let walkedTo = 0
  for await (const box of boxesIn(bytes, { start: 0, end: bytes.sizeBytes }, stepsUpTo(mostTopBoxes))) {
    if (box.name === 'ftyp') brand = (await bytes.upTo(box.start, 4)).toString('latin1')
    if (box.name === 'moov') moov ??= box
    if (box.name === 'moof') fragments.push(box)
    walkedTo = box.end
  }
  return moov ? { brand, moov, fragments, walkedTo } : { brand, fragments, walkedTo }
}

function contentTypeOf(brand: string, hasVideo: boolean): string {
  if (brand.startsWith('qt')) return 'video/quicktime'
  return `${hasVideo ? 'video' : 'audio'}/${brand.startsWith('3g') ? '3gpp' : 'mp4'}`
}

/** The track after its edits leaves out what the encoder put before the audio. */
function secondsOfIndex(movie: Movie, audio: Track): number | null {
  if (audio.shownTicks !== null && movie.times.ticksPerSecond > 0) return audio.shownTicks / movie.times.ticksPerSecond
  for (const { ticks, ticksPerSecond } of [audio.times, movie.times])
    if (ticks !== null && ticksPerSecond > 0) return ticks / ticksPerSecond
  return null
}

async function secondsOfFragments(
  bytes: BoundedBytes,
  { layout, movie, audio }: { layout: Layout; movie: Movie; audio: Track },
): Promise<number | undefined> {
  const total = movie.fragments?.ticks
  if (total && movie.times.ticksPerSecond > 0) return total / movie.times.ticksPerSecond
  const defaultTicks = movie.fragments?.defaultTicks.get(audio.id) ?? 0
  const fragmented = { track: audio, defaultTicks, fragments: layout.fragments }
  const last = await endOfFragments(bytes, fragmented, stepsUpTo(mostInnerBoxes))
  const first = layout.fragments[0]
  if (last === undefined || !first || audio.times.ticksPerSecond === 0) return undefined
  const seconds = last / audio.times.ticksPerSecond
  return layout.walkedTo < bytes.sizeBytes
    ? (seconds * (bytes.sizeBytes - first.start)) / (layout.walkedTo - first.start)
    : seconds
}

import { boxesIn, firstBox } from './boxes.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { BoxBody, Box } from './boxes.ts'
import type { Steps } from './steps.ts'

const mostTracks = 64
const longestTimesBytes = 36

/** A length in ticks of a clock. */
export interface Times {
  readonly ticksPerSecond: number
  /** Null when the writer did not know. */
  readonly ticks: number | null
}

export interface Track {
  readonly id: number
  readonly kind: string
  readonly codec: string
  readonly times: Times
  /** After edits, on the clock of the movie. */
  readonly shownTicks: number | null
}

/** What `moov` says, and nothing of what its tables of samples say. */
export interface Movie {
  readonly times: Times
  readonly tracks: readonly Track[]
  /** Set when the audio follows in fragments: their total if it is known, else null. */
  readonly fragments?: { readonly ticks: number | null; readonly defaultTicks: ReadonlyMap<number, number> }
}

export async function readMovie(bytes: BoundedBytes, moov: BoxBody, steps: Steps): Promise<Movie> {
  let times: Times = { ticksPerSecond: 0, ticks: null }
  const tracks: Track[] = []
  let fragments: Movie['fragments']
  for await (const box of boxesIn(bytes, moov, steps)) {
    if (box.name === 'mvhd') times = (await readTimes(bytes, box)) ?? times
    if (box.name === 'mvex') fragments = await readFragmentDefaults(bytes, box, steps)
    if (box.name === 'trak' && tracks.length < mostTracks) {
      const track = await readTrack(bytes, box, steps)
      if (track) tracks.push(track)
    }
  }
  return fragments ? { times, tracks, fragments } : { times, tracks }
}

async function readTrack(bytes: BoundedBytes, trak: Box, steps: Steps): Promise<Track | undefined> {
  const tkhd = await firstBox(bytes, { ...trak, name: 'tkhd' }, steps)
  const mdia = await firstBox(bytes, { ...trak, name: 'mdia' }, steps)
  const hdlr = mdia && (await firstBox(bytes, { ...mdia, name: 'hdlr' }, steps))
  const kind = hdlr && (await bytes.exactly(hdlr.start + 8, 4))
  if (!tkhd || !mdia || !kind) return undefined
  const mdhd = await firstBox(bytes, { ...mdia, name: 'mdhd' }, steps)
  return {
    ...(await readTrackHeader(bytes, tkhd)),
    kind: kind.toString('latin1'),
    codec: await codecOf(bytes, mdia, steps),
    times: (mdhd && (await readTimes(bytes, mdhd))) ?? { ticksPerSecond: 0, ticks: null },
  }
}

async function codecOf(bytes: BoundedBytes, mdia: Box, steps: Steps): Promise<string> {
  let box: Box | undefined = mdia
  for (const name of ['minf', 'stbl', 'stsd']) box = box && (await firstBox(bytes, { ...box, name }, steps))
  // a version, a count, and then the first description: its size and its name
  const name = box && (await bytes.exactly(box.start + 12, 4))
  return name?.toString('latin1') ?? ''
}

async function readTrackHeader(bytes: BoundedBytes, tkhd: Box): Promise<{ id: number; shownTicks: number | null }> {
  const body = await bytes.upTo(tkhd.start, longestTimesBytes)
  const wide = body[0] === 1
  const at = wide ? { id: 20, ticks: 28 } : { id: 12, ticks: 20 }
  return {
    id: body.length >= at.id + 4 ? body.readUInt32BE(at.id) : 0,
    shownTicks: readTicks(body, at.ticks),
  }
}

/** `mvhd` and `mdhd` begin alike; version 1 has times of 64 bits. */
async function readTimes(bytes: BoundedBytes, box: Box): Promise<Times | undefined> {
  const body = await bytes.upTo(box.start, longestTimesBytes)
  const offset = body[0] === 1 ? 20 : 12
  if (body.length < offset + 4) return undefined
  return { ticksPerSecond: body.readUInt32BE(offset), ticks: readTicks(body, offset + 4) }
}

async function readFragmentDefaults(
  bytes: BoundedBytes,
  mvex: Box,
  steps: Steps,
): Promise<NonNullable<Movie['fragments']>> {
  let ticks: number | null = null
  const defaultTicks = new Map<number, number>()
  for await (const box of boxesIn(bytes, mvex, steps)) {
    if (box.name === 'mehd') ticks = readTicks(await bytes.upTo(box.start, 12), 4)
    const trex = box.name === 'trex' ? await bytes.exactly(box.start, 16) : undefined
    if (trex) defaultTicks.set(trex.readUInt32BE(4), trex.readUInt32BE(12))
  }
  return { ticks, defaultTicks }
}

/** Zero and all ones both say that the writer did not know. */
function readTicks(body: Buffer, offset: number): number | null {
  const wide = body[0] === 1
  if (body.length < offset + (wide ? 8 : 4)) return null
  const ticks = wide ? body.readBigUInt64BE(offset) : BigInt(body.readUInt32BE(offset))
  return ticks === 0n || ticks === (wide ? 2n ** 64n - 1n : 2n ** 32n - 1n) ? null : Number(ticks)
}

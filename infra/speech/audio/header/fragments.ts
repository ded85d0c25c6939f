import { boxesIn, firstBox } from './boxes.ts'

import type { BoundedBytes } from './bounded-bytes.ts'
import type { BoxBody, Box } from './boxes.ts'
import type { Track } from './movie.ts'
import type { Steps } from './steps.ts'

/** The sound of one track may be missing from the last fragments, so some more are asked. */
const mostFragmentsAsked = 8
const mostSamples = 8_192

const flag = {
  baseDataOffset: 0x1,
  sampleDescription: 0x2,
  defaultDuration: 0x8,
  dataOffset: 0x1,
  firstSampleFlags: 0x4,
  sampleDuration: 0x100,
  perSample: [0x100, 0x200, 0x400, 0x800],
} as const

interface Fragmented {
  readonly track: Track
  readonly defaultTicks: number
  /** Fragments in the order of the file, as far as they were walked. */
  readonly fragments: readonly BoxBody[]
}

/** When the last fragment of a track ends, in ticks of the track: fragments say when they begin. */
export async function endOfFragments(
  bytes: BoundedBytes,
  input: Fragmented,
  steps: Steps,
): Promise<number | undefined> {
  for (const moof of input.fragments.slice(-mostFragmentsAsked).reverse())
    for await (const traf of boxesIn(bytes, moof, steps)) {
      const ticks = traf.name === 'traf' ? await endOfTrackFragment(bytes, { input, traf }, steps) : undefined
      if (ticks !== undefined) return ticks
    }
  return undefined
}

async function endOfTrackFragment(
  bytes: BoundedBytes,
  { input, traf }: { input: Fragmented; traf: Box },
  steps: Steps,
): Promise<number | undefined> {
  const tfhd = await firstBox(bytes, { ...traf, name: 'tfhd' }, steps)
  const header = tfhd && (await bytes.upTo(tfhd.start, 24))
  if (!header || header.length < 8 || header.readUInt32BE(4) !== input.track.id) return undefined
  let ticks = await beginOf(bytes, traf, steps)
  if (ticks === undefined) return undefined
  const defaultTicks = defaultDuration(header) ?? input.defaultTicks
  for await (const trun of boxesIn(bytes, traf, steps))
    if (trun.name === 'trun') ticks += await ticksOfRun(bytes, trun, defaultTicks)
  return ticks
}

async function beginOf(bytes: BoundedBytes, traf: Box, steps: Steps): Promise<number | undefined> {
  const tfdt = await firstBox(bytes, { ...traf, name: 'tfdt' }, steps)
  const body = tfdt && (await bytes.upTo(tfdt.start, 12))
  if (!body || body.length < 8) return undefined
  if (body[0] !== 1) return body.readUInt32BE(4)
  return body.length < 12 ? undefined : Number(body.readBigUInt64BE(4))
}

function defaultDuration(tfhd: Buffer): number | undefined {
  const flags = tfhd.readUIntBE(1, 3)
  if ((flags & flag.defaultDuration) === 0) return undefined
  const offset = 8 + ((flags & flag.baseDataOffset) === 0 ? 0 : 8) + ((flags & flag.sampleDescription) === 0 ? 0 : 4)
  return tfhd.length < offset + 4 ? undefined : tfhd.readUInt32BE(offset)
}

async function ticksOfRun(bytes: BoundedBytes, trun: Box, defaultTicks: number): Promise<number> {
  const header = await bytes.exactly(trun.start, 8)
  if (!header) return 0
  const flags = header.readUIntBE(1, 3)
  const samples = header.readUInt32BE(4)
  if ((flags & flag.sampleDuration) === 0) return samples * defaultTicks
  const start = 8 + ((flags & flag.dataOffset) === 0 ? 0 : 4) + ((flags & flag.firstSampleFlags) === 0 ? 0 : 4)
  const rowBytes = 4 * flag.perSample.filter((field) => (flags & field) !== 0).length
  const table = await bytes.upTo(trun.start + start, Math.min(samples, mostSamples) * rowBytes)
  let ticks = 0
  for (let row = 0; row + rowBytes <= table.length; row += rowBytes) ticks += table.readUInt32BE(row)
  return ticks
}

import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import test from 'ava'
import * as fc from 'fast-check'

import type { AudioFacts, NotAudio } from '../../../actors/upload/ports.ts'
import { boundedBytes, probeAllowance } from '../../../infra/speech/audio/header/bounded-bytes.ts'
import { probeBytes } from '../../../infra/speech/audio/header/probe.ts'
import { aMoof, aMoov, anEbmlHeader, anFtyp, aTrack } from '../../support/media-containers.ts'
import { aWav, anAdtsFrame, anOggPage, anOpusHead, repeated } from '../../support/media.ts'
import { inMemory, probed } from '../../support/probing.ts'

const folder = resolve('test/fixtures/media')
const files = readdirSync(folder)
  .filter((name) => !name.endsWith('.md'))
  .map((name) => readFileSync(resolve(folder, name)))
const built = [
  Buffer.from(aWav({ seconds: 0.05 })),
  repeated(20, anAdtsFrame(50)),
  Buffer.concat([anOggPage({ granule: 0n, first: true, body: anOpusHead() }), anOggPage({ granule: 48_000n })]),
  Buffer.concat([anFtyp('iso5'), aMoov(0, aTrack({ kind: 'soun' })), repeated(20, aMoof(0, 10))]),
  anEbmlHeader('webm'),
]
const seeds = [...files, ...built]

const mutations = 3_000
/** Small files are cheap, whatever is done to them: the walks stop, not the allowance. */
const mostReadsOfASmallFile = 400
const longestSeconds = 36_000_000

/** Plain data, so that a counterexample can be read. `at` is a part of the length of the file. */
interface Mutation {
  readonly change: 'flip' | 'cut' | 'blow up' | 'blow up little-endian' | 'repeat'
  readonly at: number
  readonly bit: number
  readonly size: number
}

const blowUps = [0, 1, 7, 8, 0x7f, 0xff, 0x01000000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff]

const mutation: fc.Arbitrary<Mutation> = fc.record({
  change: fc.constantFrom('flip', 'cut', 'blow up', 'blow up little-endian', 'repeat'),
  // half of all changes hit the header, where they hurt
  at: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.1, noNaN: true })),
  bit: fc.nat(7),
  size: fc.constantFrom(...blowUps),
})

function mutated(content: Buffer, { change, at, bit, size }: Mutation): Buffer {
  const offset = Math.floor(at * Math.max(0, content.length - 4))
  if (change === 'cut') return content.subarray(0, offset)
  if (change === 'repeat') return Buffer.concat([content, repeated(bit, content.subarray(offset, offset + 500))])
  if (content.length < 4) return content
  if (change === 'flip') content[offset]! ^= 1 << bit
  if (change === 'blow up') content.writeUInt32BE(size, offset)
  if (change === 'blow up little-endian') content.writeUInt32LE(size, offset)
  return content
}

function isAudio(verdict: AudioFacts | NotAudio): boolean {
  if (!verdict.audio) return verdict.reason.length > 0 && verdict.reason.length < 200
  const seconds = verdict.durationSeconds
  return (
    /^(?:audio|video)\/[a-z0-9-]+$/.test(verdict.contentType) &&
    (seconds === null || (seconds > 0 && seconds <= longestSeconds))
  )
}

test('no mutation of a file makes a probe throw, overspend or say nonsense', async (t) => {
  const seed = Date.now() % 2 ** 31
  t.log(`seed ${seed}, ${mutations} mutations of ${seeds.length} files`)
  const property = fc.asyncProperty(
    fc.nat(seeds.length - 1),
    fc.array(mutation, { minLength: 1, maxLength: 6 }),
    async (which, changes) => {
      const bytes = boundedBytes(inMemory(changes.reduce(mutated, Buffer.from(seeds[which]!))))
      const verdict = await probeBytes(bytes)
      const cheap = bytes.spent.bytes <= probeAllowance.bytes && bytes.spent.reads <= mostReadsOfASmallFile
      if (!cheap || !isAudio(verdict)) throw new Error(JSON.stringify({ verdict, spent: bytes.spent }))
    },
  )
  await t.notThrowsAsync(fc.assert(property, { seed, numRuns: mutations }))
})

test('a file cut off anywhere in its header is still answered', async (t) => {
  for (const content of seeds)
    for (let length = 0; length < Math.min(content.length, 200); length++)
      if (!isAudio(await probed(content.subarray(0, length)))) t.fail(`at ${length} bytes`)
  t.pass()
})

test('random bytes are not audio', async (t) => {
  const property = fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 4_096 }), async (content) => {
    const verdict = await probed(content)
    return !verdict.audio && isAudio(verdict)
  })
  await t.notThrowsAsync(fc.assert(property, { numRuns: 500 }))
})

test('what is built to be walked for long costs no more than the allowance', async (t) => {
  const crafted = {
    'sync words': repeated(100_000, Buffer.from('fffb9000', 'hex')),
    'frames of seven bytes': repeated(100_000, Buffer.from('fff1504000fffc', 'hex')),
    'a tail of clusters': Buffer.concat([
      readFileSync(resolve(folder, 'live.webm')),
      repeated(300_000, Buffer.from('1f43b67580bf80', 'hex')),
    ]),
    'a tail of blocks': Buffer.concat([
      readFileSync(resolve(folder, 'live.webm')),
      repeated(300_000, Buffer.from('a380', 'hex')),
    ]),
    'a tail of page marks': Buffer.concat([
      readFileSync(resolve(folder, 'opus.ogg')),
      repeated(100_000, Buffer.from('OggS')),
    ]),
    'boxes far apart': Buffer.concat([
      anFtyp('isom'),
      repeated(3_000, Buffer.concat([Buffer.from('00000400', 'hex'), Buffer.from('free'), Buffer.alloc(1_016)])),
    ]),
  }
  for (const [what, content] of Object.entries(crafted)) {
    const bytes = boundedBytes(inMemory(content))
    t.true(isAudio(await probeBytes(bytes)), what)
    t.true(bytes.spent.bytes <= probeAllowance.bytes && bytes.spent.reads <= probeAllowance.reads, what)
  }
})

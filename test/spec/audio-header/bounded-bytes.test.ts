import test from 'ava'

import { boundedBytes } from '../../../infra/speech/audio/header/bounded-bytes.ts'
import { probeBytes } from '../../../infra/speech/audio/header/probe.ts'
import { aBox, aMoov, anFtyp, aTrack } from '../../support/media-containers.ts'
import { inMemory } from '../../support/probing.ts'

const content = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251))

test('neighbouring fields cost one fetch', async (t) => {
  const bytes = boundedBytes(inMemory(content))
  for (let offset = 0; offset < 400; offset += 8)
    t.deepEqual(await bytes.exactly(offset, 8), content.subarray(offset, offset + 8))
  t.deepEqual(bytes.spent, { bytes: 512, reads: 1 })
})

test('nothing is read beyond the end of the file, nor before its start', async (t) => {
  const bytes = boundedBytes(inMemory(content))
  t.is((await bytes.upTo(4_990, 100)).length, 10)
  t.is(await bytes.exactly(4_990, 100), undefined)
  for (const offset of [5_000, 2 ** 60, Number.POSITIVE_INFINITY, -1, Number.NaN])
    t.is((await bytes.upTo(offset, 8)).length, 0)
  t.is((await bytes.upTo(0, Number.NaN)).length, 0)
  t.false(bytes.exhausted)
})

test('when the allowance is spent the file reads as if it ended', async (t) => {
  const poor = boundedBytes(inMemory(content), { bytes: 1_000, reads: 10 })
  t.is((await poor.upTo(0, 600)).length, 600)
  t.is((await poor.upTo(2_000, 600)).length, 400)
  t.is((await poor.upTo(4_000, 600)).length, 0)
  t.true(poor.exhausted)
  t.deepEqual(poor.spent, { bytes: 1_000, reads: 2 })
  const impatient = boundedBytes(inMemory(content), { bytes: 10_000, reads: 1 })
  t.is((await impatient.upTo(0, 8)).length, 8)
  t.is((await impatient.upTo(4_000, 8)).length, 0)
})

test('a header scattered over more than may be read is refused for that', async (t) => {
  const far = Array.from({ length: 50 }, () => aBox('mdat', Buffer.alloc(2_000)))
  const file = Buffer.concat([anFtyp('M4A '), ...far, aMoov(0, aTrack({ kind: 'soun', ticks: 8_000 }))])
  const verdict = await probeBytes(boundedBytes(inMemory(file), { bytes: 10_000, reads: 20 }))
  t.false(verdict.audio)
  t.regex(verdict.audio ? '' : verdict.reason, /scattered over more of the file than this service reads/)
})

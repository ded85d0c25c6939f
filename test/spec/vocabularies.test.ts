import test from 'ava'

import { vocabularyFolder } from '../../actors/ids.ts'
import type { Blobs } from '../../actors/ports.ts'
import { vocabularyLimits } from '../../actors/vocabulary/state.ts'
import { openVocabularies } from '../../actors/vocabulary/vocabularies.ts'
import { newIds } from '../../infra/ids/new-ids.ts'
import { anOwner } from '../support/builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'

const content = { name: 'Words of the house', entries: [{ text: 'Vaak', spoken: ['वाक'] }] }
const [owner, other] = [anOwner('a'), anOwner('b')]

function aHouse(wrap: (blobs: Blobs) => Blobs = (blobs) => blobs) {
  const storage = aMemoryStorage()
  const clock = aManualClock()
  return { storage, vocabularies: openVocabularies({ blobs: wrap(storage.blobs), clock, ...newIds(clock) }) }
}

test('each change is a version, the last ones are kept, and an older version changes nothing', async (t) => {
  const { storage, vocabularies } = aHouse()
  const first = await vocabularies.create(owner, content)
  const place = { owner, id: first.id }
  t.like(first, { version: 1, ...content })
  for (let version = 1; version <= 6; version += 1)
    await vocabularies.change(place, version, (before) => ({ ...before, name: `after ${version}` }))
  t.like(await vocabularies.read(place), { version: 7, name: 'after 6', sha256: first.sha256 })
  t.like(await vocabularies.read(place, 3), { version: 3, name: 'after 2' })
  t.is(await vocabularies.read(place, 2), undefined)
  t.is(storage.keys().length, vocabularyLimits.versionsKept)
  const late = await t.throwsAsync(vocabularies.change(place, 6, (before) => before))
  t.like(late, { failure: { code: 'conflict' } })
  t.like(await vocabularies.list(owner), [{ version: 7 }])
})

test('of two who change the same version one is told that the other was first', async (t) => {
  const { vocabularies } = aHouse()
  const { id } = await vocabularies.create(owner, content)
  const both = await Promise.allSettled(
    ['one', 'other'].map((name) => vocabularies.change({ owner, id }, 1, (before) => ({ ...before, name }))),
  )
  t.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  t.is((await vocabularies.read({ owner, id }))?.version, 2)
})

test('what belongs to another user is as if it was not there', async (t) => {
  const { vocabularies } = aHouse()
  const { id } = await vocabularies.create(owner, content)
  t.is(await vocabularies.read({ owner: other, id }), undefined)
  t.is(await vocabularies.change({ owner: other, id }, 1, (before) => before), undefined)
  t.false(await vocabularies.remove({ owner: other, id }))
  t.deepEqual(await vocabularies.list(other), [])
  t.is((await vocabularies.list(owner)).length, 1)
})

test('who changes a vocabulary while it is deleted does not bring it back', async (t) => {
  let deletes = async (): Promise<unknown> => undefined
  const { storage, vocabularies } = aHouse((blobs) => ({
    ...blobs,
    async put(key, source, options) {
      await deletes()
      return blobs.put(key, source, options)
    },
  }))
  const { id } = await vocabularies.create(owner, content)
  const place = { owner, id }
  deletes = () => storage.blobs.removeAll(vocabularyFolder(place))
  t.is(await vocabularies.change(place, 1, (before) => before), undefined)
  t.deepEqual(storage.keys(), [])
})

test('there are no more vocabularies, entries or characters than the limits say', async (t) => {
  const { vocabularies } = aHouse()
  const { entries, allCharacters, perUser } = vocabularyLimits
  const many = Array.from({ length: entries }, (_, at) => ({ text: `w${at}` }))
  const { id } = await vocabularies.create(owner, { ...content, entries: many })
  const more = vocabularies.change({ owner, id }, 1, (before) => ({ ...before, entries: [...many, { text: 'x' }] }))
  await t.throwsAsync(more, { message: /invalid_request.*5001 entries.*limit is 5000/ })
  const long = [{ text: 'x'.repeat(allCharacters), spoken: ['y'] }]
  await t.throwsAsync(vocabularies.create(owner, { ...content, entries: long }), { message: /200001 characters/ })
  for (let made = 1; made < perUser; made += 1) await vocabularies.create(owner, content)
  t.like(await t.throwsAsync(vocabularies.create(owner, content)), { failure: { code: 'conflict' } })
  await t.notThrowsAsync(vocabularies.create(other, content))
})

import test from 'ava'

import { vocabularyLimits } from '../../actors/vocabulary/state.ts'
import { batchService } from '../support/batch-service.ts'

/** What strangers, and users who want too much, can do with vocabularies. */

const service = batchService(test)
const words = { name: 'Words of the house', entries: [{ text: 'Vaak', spoken: ['वाक'] }] }

test('nobody reads, changes, deletes or uses the words of another user', async (t) => {
  const [{ api }, stranger] = [await service.user(t), await service.uploader(t, 'completed')]
  const { body } = await api.post('/vocabularies', { json: words })
  const path = `/vocabularies/${body.vocabulary_id}`
  t.is((await stranger.api.get(path)).status, 404)
  t.is((await stranger.api.get(`${path}?version=1`)).status, 404)
  t.is((await stranger.api.patch(path, { json: { version: 1, name: 'mine' } })).status, 404)
  t.is((await stranger.api.delete(path)).status, 404)
  t.deepEqual((await stranger.api.get('/vocabularies')).body.vocabularies, [])
  const json = { file_ids: stranger.fileIds, vocabulary: body.vocabulary_id }
  const refused = await stranger.api.post('/transcribe/batch', { json })
  t.is(refused.status, 404)
  t.is(refused.body.detail.vocabulary, body.vocabulary_id)
  t.is((await api.as(undefined).get(path)).status, 401)
  t.like((await api.get(path)).body, { version: 1, ...words })
})

test('too many entries, too long ones and what is no word are refused with the limit', async (t) => {
  const { api } = await service.user(t)
  const post = (entries: unknown, name = 'n') => api.post('/vocabularies', { json: { name, entries } })
  const { entries, characters, spoken } = vocabularyLimits
  const many = Array.from({ length: entries + 1 }, (_, at) => ({ text: `w${at}` }))
  for (const [given, reason] of [
    [many, /more than 5000 entries/],
    [[{ text: 'x'.repeat(characters + 1) }], /more than 64 characters/],
    [[{ text: ' ' }], /must not be empty/],
    [[{ text: 'two\nlines' }], /one line/],
    [[{ text: 'turned\u202eround' }], /one line/],
    [[{ text: 'x', weight: 2.5 }], /weight/],
    [[{ text: 'x', weight: -1 }], /weight/],
    [[{ text: 'x', spoken: Array.from({ length: spoken + 1 }, (_, at) => `s${at}`) }], /more than 5 forms/],
    [[{ weight: 1 }], /text/],
    ['all', /entries/],
  ] as const) {
    const { status, body } = await post(given)
    t.is(status, 400, JSON.stringify(body))
    t.regex(JSON.stringify(body.detail), reason)
  }
  t.is((await post([{ text: 'x' }], 'a\u0000b')).status, 400)
  t.is((await post([], 'x'.repeat(3 * 1024 * 1024))).status, 413)
  t.deepEqual((await api.get('/vocabularies')).body.vocabularies, [])
})

test('five thousand entries in both scripts are kept, and a user has as many vocabularies as the limit says', async (t) => {
  const { api } = await service.user(t)
  const entries = Array.from({ length: vocabularyLimits.entries }, (_, at) =>
    at % 2 === 0 ? { text: `Word ${at}`, spoken: [`वर्ड ${at}`] } : { text: `शब्द ${at}`, weight: 1.5 },
  )
  const { status, body } = await api.post('/vocabularies', { json: { name: 'all', entries } })
  t.is(status, 201)
  t.is(body.entry_count, vocabularyLimits.entries)
  t.deepEqual((await api.get(`/vocabularies/${body.vocabulary_id}`)).body.entries, entries)
  for (let made = 1; made < vocabularyLimits.perUser; made += 1) await api.post('/vocabularies', { json: words })
  const refused = await api.post('/vocabularies', { json: words })
  t.is(refused.status, 409)
  t.regex(refused.body.detail, /20 vocabularies, which is the limit/)
})

test('what was made for an older version, or comes after the deletion, changes nothing', async (t) => {
  const { api } = await service.user(t)
  const { body } = await api.post('/vocabularies', { json: words })
  const path = `/vocabularies/${body.vocabulary_id}`
  const add = [{ text: 'Vaak', spoken: ['vak'] }, { text: 'Meera' }]
  t.is((await api.patch(path, { json: { version: 1, add } })).body.version, 2)
  const late = await api.patch(path, { json: { version: 1, remove: ['Vaak'] } })
  t.is(late.status, 409)
  t.regex(late.body.detail, /is at version 2/)
  t.deepEqual((await api.get(path)).body.entries, [{ text: 'Vaak', spoken: ['वाक', 'vak'] }, { text: 'Meera' }])
  t.is((await api.get(`${path}?version=1`)).body.entries.length, 1)
  t.is((await api.get(`${path}?version=3`)).status, 404)
  t.is((await api.delete(path)).status, 200)
  for (const status of [
    (await api.delete(path)).status,
    (await api.get(path)).status,
    (await api.patch(path, { json: { version: 2, name: 'again' } })).status,
  ])
    t.is(status, 404)
})

test('an id that is none leads nowhere', async (t) => {
  const { api } = await service.user(t)
  for (const id of ['%2e%2e%2f', 'a', '0'.repeat(300), '01900000-0000-7000-8000-00000000000g'])
    t.is((await api.get(`/vocabularies/${id}`)).status, 404, id)
  const named = await api.post('/transcribe/batch', { json: { file_ids: [], vocabulary: '../other' } })
  t.is(named.status, 400)
})

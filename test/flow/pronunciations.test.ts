import test from 'ava'

import { pronunciationLimits } from '../../actors/pronunciation/state.ts'
import { oddTexts } from '../fuzz/odd-values.ts'
import type { Api } from '../support/api.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService(test, { TTS_ENGINE: 'light' })

const path = '/pronunciations'
const one = { word: 'Vaak', spoken: 'वाक्' }
const put = (api: Api, ...pronunciations: readonly unknown[]) => api.put(path, { json: { pronunciations } })

/** How long it is heard. */
async function secondsOf(api: Api, input: string): Promise<number> {
  const json = { voice: 'maya', input, response_format: 'pcm', stream_format: 'json' }
  const { status, body } = await api.post('/v1/audio/speech', { json })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.duration as number
}

test('what a user puts is kept, and spoken from then on, to this user alone', async (t) => {
  const { api } = await service.user(t)
  const { api: other } = await service.user(t)
  t.deepEqual((await api.get(path)).body, { pronunciations: [] })
  const asWritten = await secondsOf(api, 'Vaak')
  const long = { word: 'Vaak', spoken: 'a name that takes quite some time to say' }
  t.is((await put(api, long)).status, 200)
  t.deepEqual((await api.get(path)).body, { pronunciations: [long] })
  t.true((await secondsOf(api, 'vaak!')) > 2 * asWritten)
  t.deepEqual((await other.get(path)).body, { pronunciations: [] })
  t.true((await secondsOf(other, 'Vaak')) < 1.5 * asWritten)
  t.deepEqual((await put(api)).body, { pronunciations: [] })
  t.true((await secondsOf(api, 'Vaak')) < 1.5 * asWritten)
})

test('what is no word, says nothing, is there twice or is too much is refused with the reason, and nothing of it is kept', async (t) => {
  const { api } = await service.user(t)
  await put(api, one)
  const { entries, wordCharacters, spokenCharacters } = pronunciationLimits
  for (const [given, pattern] of [
    [[{ word: 'two words', spoken: 'a' }], /pronunciations\.0\.word: is not one word/],
    [[{ word: '“Vaak”', spoken: 'a' }], /not one word/],
    [[{ word: '', spoken: 'a' }], /not one word/],
    [[{ word: 'a', spoken: '…' }], /pronunciations\.0\.spoken: has no letters/],
    [[{ word: 'a', spoken: 'a\u0000' }], /cannot be printed/],
    [[{ word: 'a'.repeat(wordCharacters + 1), spoken: 'a' }], new RegExp(String(wordCharacters))],
    [[{ word: 'a', spoken: 'a'.repeat(spokenCharacters + 1) }], new RegExp(String(spokenCharacters))],
    // one character, which is read as eighteen
    [[{ word: 'a', spoken: 'ﷺ'.repeat(4) }], /64 characters/],
    [[one, { word: 'vaak', spoken: 'b' }], /pronunciations\.1\.word: is the word of entry 0/],
    [
      Array.from({ length: entries + 1 }, (_, at) => ({ word: `a${at}`, spoken: 'a' })),
      new RegExp(`at most ${entries}`),
    ],
    [[{ word: 'a' }], /spoken/],
  ] as const) {
    const { status, body } = await put(api, ...given)
    t.is(status, 400, JSON.stringify(given).slice(0, 100))
    t.regex(body.detail, pattern)
  }
  t.is((await api.put(path, { json: { pronunciations: {} } })).status, 400)
  t.deepEqual((await api.get(path)).body, { pronunciations: [one] })
})

test('the longest list there may be is kept, and given back as it came', async (t) => {
  const { api } = await service.user(t)
  const { entries, wordCharacters, spokenCharacters } = pronunciationLimits
  const list = Array.from({ length: entries }, (_, at) => ({
    word: `क${String(at).padStart(wordCharacters - 1, '0')}`,
    spoken: 'ॐ'.repeat(spokenCharacters),
  }))
  t.is((await put(api, ...list)).status, 200)
  t.deepEqual((await api.get(path)).body, { pronunciations: list })
  const body = `{"pronunciations":[]}${' '.repeat(2_000_000)}`
  t.is((await api.put(path, { body, headers: { 'Content-Type': 'application/json' } })).status, 413)
})

test('whatever is sent as a word or as its sound is kept as it came, or refused', async (t) => {
  const { api } = await service.user(t)
  for (const text of oddTexts)
    for (const entry of [
      { word: 'odd', spoken: text },
      { word: text, spoken: 'odd' },
    ]) {
      const { status, body } = await put(api, entry)
      t.true(status === 200 || status === 400, text)
      if (status === 200) t.deepEqual(body, { pronunciations: [entry] })
    }
})

test('of lists that are put at the same time one is kept whole', async (t) => {
  const { api } = await service.user(t)
  const lists = Array.from({ length: 6 }, (_, at) => [
    { word: `a${at}`, spoken: 'a' },
    { word: `b${at}`, spoken: 'b' },
  ])
  const answers = await Promise.all(lists.map((list) => put(api, ...list)))
  t.true(answers.every(({ status }) => status === 200))
  const { pronunciations } = (await api.get(path)).body
  t.true(lists.some((list) => JSON.stringify(list) === JSON.stringify(pronunciations)))
})

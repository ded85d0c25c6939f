import { Readable } from 'node:stream'

import test from 'ava'

import { openPronunciations } from '../../actors/pronunciation/pronunciations.ts'
import type { StoredPronunciations } from '../../actors/pronunciation/state.ts'
import { voicesOfUser } from '../../realtime/main-speech.ts'
import { anOwner } from '../support/builders.ts'
import { memoryRecords } from '../support/memory-records.ts'
import { someVoices } from '../support/realtime-fakes.ts'
import { silentLog } from '../support/silent-log.ts'

const entries = [{ word: 'Vaak', spoken: 'वाक्' }]
const never = { after: () => () => undefined }

test('what was put is there, what is put again takes its place, and of nothing nothing is kept', async (t) => {
  const records = memoryRecords<StoredPronunciations>()
  const pronunciations = openPronunciations({ pronunciations: records, timer: never, log: silentLog })
  const owner = anOwner()
  t.is(await pronunciations.pronounceFor(owner), undefined)
  await pronunciations.replaceAll(owner, entries)
  t.deepEqual(await pronunciations.listOf(owner), entries)
  t.is((await pronunciations.pronounceFor(owner))?.('vaak'), 'वाक्')
  await pronunciations.replaceAll(owner, [{ word: 'Vaak', spoken: 'walk' }])
  t.is((await pronunciations.pronounceFor(owner))?.('Vaak'), 'walk')
  await pronunciations.replaceAll(owner, [])
  t.is(await records.read(owner), undefined)
  await pronunciations.replaceAll(owner, entries)
  t.deepEqual(await pronunciations.listOf(owner), entries)
})

test('where the broker does not answer, words are spoken as they are written', async (t) => {
  const owner = anOwner()
  const silent = { ...memoryRecords<StoredPronunciations>(), read: () => new Promise<never>(() => undefined) }
  const soon = {
    after(_ms: number, run: () => void) {
      setImmediate(run)
      return () => undefined
    },
  }
  const waiting = openPronunciations({ pronunciations: silent, timer: soon, log: silentLog })
  t.is(await waiting.pronounceFor(owner), undefined)
  const broken = { ...memoryRecords<StoredPronunciations>(), read: () => Promise.reject(new Error('away')) }
  const refused = openPronunciations({ pronunciations: broken, timer: never, log: silentLog })
  t.is(await refused.pronounceFor(owner), undefined)
  await t.throwsAsync(refused.listOf(owner))
})

test('in sessions and streams a user hears words as they were put last, from the next answer on', async (t) => {
  const pronunciations = openPronunciations({ pronunciations: memoryRecords(), timer: never, log: silentLog })
  const [owner, voices] = [anOwner(), someVoices()]
  const own = voicesOfUser(owner, voices, pronunciations)
  const speak = async (): Promise<void> => {
    const options = { voice: 'asha', signal: new AbortController().signal }
    for await (const clause of own.speak(Readable.from(['Vaak.']), options)) void clause
  }
  await speak()
  await pronunciations.replaceAll(owner, entries)
  await speak()
  t.deepEqual(
    voices.spoken.map(({ owner: whose, pronounce }) => [whose, pronounce?.('Vaak')]),
    [
      [owner, undefined],
      [owner, 'वाक्'],
    ],
  )
})

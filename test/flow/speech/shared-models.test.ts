import { readdir } from 'node:fs/promises'

import test from 'ava'

import { openModels } from '../../../infra/speech/asr/open-models.ts'
import { modelsFor } from '../../../infra/speech/asr/profiles.ts'
import { openStore } from '../../../infra/speech/models/open-store.ts'
import { cacheFolderForTests } from '../../support/nats.ts'

test('a model that two profiles use is opened once, when it is first needed, and closed with the others', async (t) => {
  const fetched: string[] = []
  const models = openModels({
    store: openStore({ cacheDir: cacheFolderForTests(), modelDir: '' }),
    cores: 1,
    fetch: (id) => Promise.resolve(void fetched.push(id)),
  })
  const [fast, faster] = [models.of(modelsFor('fast')), models.of({ ...modelsFor('fast'), other: 'whisper-base' })]
  t.deepEqual(fetched, [])
  const [one, other] = await Promise.all([fast.first(), faster.recogniser('hi')])
  t.is(one, other)
  t.deepEqual(fetched, ['vaak-hinglish-base'])
  await models.close()
  await t.throwsAsync(one.transcribe([new Float32Array(16_000)], {}), { message: /closed/ })
})

test('a model that could not be fetched is fetched again for the next chunk', async (t) => {
  let fetches = 0
  const models = openModels({
    store: openStore({ cacheDir: cacheFolderForTests(), modelDir: '' }),
    cores: 1,
    fetch() {
      fetches += 1
      return fetches === 1 ? Promise.reject(new Error('no network')) : Promise.resolve()
    },
  })
  t.teardown(() => models.close())
  const fast = models.of(modelsFor('fast'))
  await t.throwsAsync(fast.first(), { message: 'no network' })
  t.is((await fast.first()).id, 'vaak-hinglish-base')
})

test('a Whisper model that is named hears every language, and no other kind is taken for it', async (t) => {
  const models = openModels({
    store: openStore({ cacheDir: cacheFolderForTests(), modelDir: '' }),
    cores: 1,
    fetch: () => Promise.resolve(),
  })
  t.teardown(() => models.close())
  const tiny = models.of(modelsFor('balanced', 'whisper-tiny'))
  const heardBy = await Promise.all(['hi', 'en', 'ta'].map((language) => tiny.recogniser(language)))
  t.deepEqual(
    heardBy.map(({ id }) => id),
    ['whisper-tiny', 'whisper-tiny', 'whisper-tiny'],
  )
  t.deepEqual(tiny.again, ['hi', 'en'])
  t.is((await tiny.first()).id, 'vaak-hinglish-small')
  await t.throwsAsync(models.of(modelsFor('fast', 'vaak-hinglish-base')).recogniser('hi'), {
    message: /model vaak-hinglish-base is no Whisper model/,
  })
})

// before the others: they start threads, too
test.serial('however many cores there are, the detector of languages is in memory once', async (t) => {
  const models = openModels({
    store: openStore({ cacheDir: cacheFolderForTests(), modelDir: '' }),
    cores: 4,
    fetch: () => Promise.resolve(),
  })
  t.teardown(() => models.close())
  const detector = await models.of(modelsFor('fast')).detector()
  const identify = () => detector.identify(new Float32Array(16_000))
  await identify()
  const threads = (await readdir('/proc/self/task')).length
  await Promise.all(Array.from({ length: 4 }, identify))
  t.is((await readdir('/proc/self/task')).length, threads)
})

import { readFile } from 'node:fs/promises'

import test from 'ava'

import { openModels } from '../../../infra/speech/asr/open-models.ts'
import { modelsFor } from '../../../infra/speech/asr/profiles.ts'
import { createRouter } from '../../../infra/speech/asr/router.ts'
import { decodeWav } from '../../../infra/speech/audio/wav.ts'
import { LiveTurn } from '../../../infra/speech/engine/live/live-turn.ts'
import { openListener } from '../../../infra/speech/engine/listener.ts'
import { fetchModel, openStore } from '../../../infra/speech/models/open-store.ts'
import { createPunctuator } from '../../../infra/speech/punctuation/punctuator.ts'
import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import { Slots } from '../../../infra/speech/threads/slots.ts'
import { noProgress } from '../../../infra/telemetry/progress.ts'
import { aManualClock } from '../../support/manual-clock.ts'
import { inCheckout } from '../../support/checkout.ts'
import { cacheFolderForTests } from '../../support/nats.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { sampleSays } from '../../support/sample-words.ts'

const rate = 16_000
const options = { whisperModel: '', cacheDir: cacheFolderForTests(), modelDir: '', startProgress: noProgress }
const store = openStore(options)
const fetch = (id: string): Promise<void> => fetchModel(store, id, noProgress)
const models = openModels({ store, cores: 1, fetch }).of(modelsFor('fast'))
const router = createRouter(models)
const punctuator = createPunctuator({ store, fetch })
test.after.always(() => Promise.all([router.close(), punctuator.close()]))

for (const language of ['hindi', 'english'] as const)
  test.serial(`a turn in ${language} is told while it is spoken, and is as right as one that is over`, async (t) => {
    for (const { samples, text: said } of await speechFixtures(language)) {
      const { text, pieces, toldBefore } = await followed(samples)
      t.is(pieces.join(''), text)
      t.true(toldBefore > 1, pieces.join('|'))
      const whole = (await router.transcribe(samples, {})).transcript.text
      const wrong = (heard: string): number => errorRates([{ said, heard }]).wordErrorRate
      t.true(wrong(text) <= wrong(whole) + 0.2, `${text} | ${whole}`)
    }
  })

test.serial('a turn that mixes both languages is told in both scripts while it is spoken', async (t) => {
  const { samples } = decodeWav(await readFile(inCheckout('infra', 'samples', 'hinglish.wav')))!
  const { text, toldBefore } = await followed(samples)
  t.is(text, sampleSays)
  t.true(toldBefore > 1)
})

/** As if the recogniser took no time: whoever holds the only place looks, and more comes when it is free. */
async function followed(samples: Float32Array) {
  const slots = new Slots(1)
  const pieces: string[] = []
  let [came, read] = [0, 0]
  const parts = { router, punctuator, slots, again: models.again, clock: aManualClock() }
  const turn = new LiveTurn(parts, {
    async read() {
      const more = samples.slice(read, came)
      read = came
      return more
    },
    tell: (piece) => void pieces.push(piece),
  })
  for (; came < samples.length; came = Math.min(samples.length, came + 0.4 * rate)) {
    turn.came(came, 0)
    await slots.take()
    slots.give()
  }
  const toldBefore = pieces.length
  const { text } = await turn.finish()
  return { text, pieces, toldBefore }
}

test('turns are not followed when nobody wants it, nor where it would take too long', async (t) => {
  const read = async (): Promise<Float32Array> => new Float32Array(0)
  const listener = openListener({ ...options, profile: 'fast', follows: true })
  t.is(listener.follow({ read, language: 'ta' }), undefined)
  t.not(listener.follow({ read, language: 'hi' }), undefined)
  await listener.close()
  for (const other of [
    { ...options, profile: 'fast', follows: false },
    { ...options, profile: 'accurate', follows: true },
    { ...options, profile: 'fast', follows: true, whisperModel: 'whisper-tiny' },
  ] as const) {
    const deaf = openListener(other)
    t.is(deaf.follow({ read }), undefined)
    await deaf.close()
  }
})

import test from 'ava'

import { openVoices } from '../../infra/speech/tts/open-voices.ts'
import { voiceModels } from '../../infra/speech/models/voice-models.ts'
import { cacheFolderForTests } from '../support/nats.ts'
import { aFetchedModel } from '../support/models.ts'
import { silentLog } from '../support/silent-log.ts'
import { voicesContract } from './voices.ts'

/** The weights are fetched on the first run, and a busy machine needs seconds for a sentence. */
const patienceMs = 15 * 60_000

const voices = openVoices({
  engine: 'neural',
  cacheDir: cacheFolderForTests(),
  modelDir: '',
  voicesFile: '',
  log: silentLog,
})
test.before(async (t) => {
  t.timeout(patienceMs)
  for (const { id } of voiceModels) await aFetchedModel(id)
  t.is(await voices.engineName(), 'neural')
})
test.after.always(() => voices.close())

voicesContract(test, async (t) => {
  t.timeout(patienceMs)
  return voices
})

import test from 'ava'

import { openVoices } from '../../infra/speech/tts/open-voices.ts'
import { silentLog } from '../support/silent-log.ts'
import { voicesContract } from './voices.ts'

const voices = openVoices({
  engine: 'light',
  lightMeanwhile: true,
  cacheDir: '',
  modelDir: '',
  voicesFile: '',
  log: silentLog,
})
test.after.always(() => voices.close())

voicesContract(test, async () => voices)

import test from 'ava'

import { openVoices } from '../../infra/speech/tts/open-voices.ts'
import { voicesContract } from './voices.ts'

const voices = openVoices()
test.after.always(() => voices.close())

voicesContract(test, async () => voices)

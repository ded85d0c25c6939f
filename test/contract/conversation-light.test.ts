import test from 'ava'

import { createAgent } from '../../infra/agent/agent.ts'
import { openVoices } from '../../infra/speech/tts/open-voices.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { silentLog } from '../support/silent-log.ts'
import { modelContract, speakingContract } from './conversation.ts'

const voices = openVoices({ engine: 'light', cacheDir: '', modelDir: '', voicesFile: '', log: silentLog })
test.after.always(() => voices.close())

speakingContract(test, () => voices)
modelContract(test, () => createAgent({ clock: aManualClock(), newId: (prefix) => `${prefix}_1` }))

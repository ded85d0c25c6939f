import test from 'ava'

import { openScripted } from '../../infra/speech/scripted/open-scripted.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { speechWorkContract } from './speech-work.ts'

speechWorkContract(test, () =>
  Promise.resolve({
    speech: aScriptedRecording(scriptedSeconds(3)),
    silence: aScriptedRecording(['silence', 'silence']),
    settings: { script: 'native', channels: 'mix' },
    open: openScripted,
  }),
)

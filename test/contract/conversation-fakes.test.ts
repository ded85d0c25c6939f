import test from 'ava'

import { aDetector, aListener, aModel, someVoices } from '../support/realtime-fakes.ts'
import { detectorContract, listenerContract, modelContract, speakingContract } from './conversation.ts'

detectorContract(test, aDetector)
listenerContract(test, aListener)
modelContract(test, aModel)
speakingContract(test, someVoices)

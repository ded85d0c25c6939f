import test from 'ava'

import { aDetector, aListener, aModel, someVoices } from '../support/realtime-fakes.ts'
import { detectorContract, listenerContract, modelContract, voicesContract } from './conversation.ts'

detectorContract(test, aDetector)
listenerContract(test, aListener)
modelContract(test, aModel)
voicesContract(test, someVoices)

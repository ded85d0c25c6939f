import test from 'ava'

import { memoryRecords } from '../support/memory-records.ts'
import { recordsContract } from './records.ts'

recordsContract(test, () => Promise.resolve(memoryRecords()))

import { availableParallelism } from 'node:os'

import test from 'ava'

import { fileSlotsOf } from '../../actors/main-work.ts'

test('a worker has as many slots for files as it was told, and otherwise enough for all cores, within reason', (t) => {
  t.is(fileSlotsOf({ workerFileSlots: 5 }), 5)
  const slots = fileSlotsOf({ workerFileSlots: 0 })
  t.is(slots, Math.min(availableParallelism() + 1, 16))
})

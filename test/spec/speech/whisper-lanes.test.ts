import test from 'ava'
import * as fc from 'fast-check'

import { whisperLanes } from '../../../infra/speech/asr/lanes.ts'

const gib = 2 ** 30

test('a small model has a lane on every core', (t) => {
  t.deepEqual(whisperLanes({ modelBytes: 44e6, cores: 8, memoryBytes: 16 * gib }), { lanes: 8, threads: 1 })
})

test('a model too large for a copy on every core has fewer lanes, which share the cores', (t) => {
  t.deepEqual(whisperLanes({ modelBytes: 1e9, cores: 8, memoryBytes: 16 * gib }), { lanes: 2, threads: 4 })
})

test('there is always a lane, and never more threads than cores', (t) => {
  fc.assert(
    fc.property(
      fc.record({
        modelBytes: fc.integer({ min: 1, max: 10e9 }),
        cores: fc.integer({ min: 1, max: 256 }),
        memoryBytes: fc.integer({ min: 1, max: 2 ** 40 }),
      }),
      (input) => {
        const { lanes, threads } = whisperLanes(input)
        return lanes >= 1 && threads >= 1 && lanes * threads <= input.cores
      },
    ),
  )
  t.pass()
})

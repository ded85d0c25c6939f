import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import test from 'ava'

import { defaultSessionLimits } from '../../../realtime/session/limits.ts'
import { parseFrame } from '../../../realtime/wire/client-events.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What sessions of so many different lengths may leave behind; schemas of their own would be ten times as much. */
const leftMaxBytes = 3_000_000
const sessions = 50

test('sessions that may last for different times leave nothing behind that the next does not use', (t) => {
  const frame = JSON.stringify({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } })
  const open = (sessionSeconds: number) => parseFrame(frame, { ...defaultSessionLimits, sessionSeconds })
  const usedBytes = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  t.true('event' in open(1))
  const before = usedBytes()
  for (let seconds = 2; seconds < 2 + sessions; seconds += 1) t.true('event' in open(seconds))
  const leftBytes = usedBytes() - before
  t.true(leftBytes < leftMaxBytes, `${leftBytes} bytes`)
})

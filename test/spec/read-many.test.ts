import test from 'ava'

import { readMany } from '../../infra/nats/records/read-many.ts'

type Reading = Parameters<typeof readMany>[0]

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('a read that a closed connection refuses leaves no timer that would fire later', async (t) => {
  const reading = {
    connection: {
      subscribe() {
        throw new Error('closed')
      },
    },
    bucket: 'vaak_runs',
    isReplicated: () => Promise.resolve(false),
    asked: (run: () => Promise<unknown>) => run(),
    known: { write: 0 },
  } as unknown as Reading // as: nothing else of the broker is asked before it refuses
  const before = timers()
  await t.throwsAsync(readMany(reading, ['a']), { message: 'closed' })
  t.is(timers(), before)
})

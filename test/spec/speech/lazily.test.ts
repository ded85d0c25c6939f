import test from 'ava'

import { lazily } from '../../../infra/speech/threads/lazily.ts'

test('it is opened once, for all who ask, and closed', async (t) => {
  const events: string[] = []
  const lazy = lazily(() => {
    events.push('opened')
    return Promise.resolve({ close: () => Promise.resolve(void events.push('closed')) })
  })
  t.deepEqual(events, [])
  const [one, other] = await Promise.all([lazy.get(), lazy.get()])
  t.is(one, other)
  await lazy.close()
  t.deepEqual(events, ['opened', 'closed'])
})

test('what nobody asked for is neither opened nor closed', async (t) => {
  const lazy = lazily<{ close(): Promise<void> }>(() => Promise.reject(t.fail()))
  await lazy.close()
  t.pass()
})

test('an opening that failed is tried again by the next who asks', async (t) => {
  let tries = 0
  const lazy = lazily(() => {
    tries += 1
    return tries === 1
      ? Promise.reject(new Error('no network'))
      : Promise.resolve({ tries, close: () => Promise.resolve() })
  })
  await t.throwsAsync(lazy.get(), { message: 'no network' })
  t.is((await lazy.get()).tries, 2)
})

test('closing after an opening that failed is no failure', async (t) => {
  const lazy = lazily<{ close(): Promise<void> }>(() => Promise.reject(new Error('no network')))
  const asked = lazy.get()
  await lazy.close()
  await t.throwsAsync(asked, { message: 'no network' })
})

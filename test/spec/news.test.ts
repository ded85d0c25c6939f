import test from 'ava'

import { withNews } from '../../actors/attempt/news.ts'
import { silentLog } from '../support/silent-log.ts'

/** A timer whose time comes when the test says so. */
function aTimer() {
  const waiting = new Set<() => void>()
  return {
    waiting,
    pass: () => waiting.forEach((run) => run()),
    after(_ms: number, run: () => void) {
      waiting.add(run)
      return () => void waiting.delete(run)
    },
  }
}

function aScene() {
  const timer = aTimer()
  const said: string[] = []
  const tell = async (): Promise<void> => void said.push('begun')
  return { timer, said, tell, ports: { timer, log: silentLog } }
}

test('of work that is over soon nobody is told that it has begun, and no timer is left', async (t) => {
  const { timer, said, tell, ports } = aScene()
  t.is(await withNews(ports, { afterMs: 1000, tell }, async () => 'done'), 'done')
  t.deepEqual(said, [])
  t.is(timer.waiting.size, 0)
})

test('work that takes long is told to have begun before it ends', async (t) => {
  const { timer, said, tell, ports } = aScene()
  await withNews(ports, { afterMs: 1000, tell }, async () => timer.pass())
  said.push('ended')
  t.deepEqual(said, ['begun', 'ended'])
})

test('with no time to wait for it is told at once, and work whose beginning cannot be told does not begin', async (t) => {
  const { said, tell, ports } = aScene()
  await withNews(ports, { afterMs: 0, tell }, async () => void said.push('at work'))
  t.deepEqual(said, ['begun', 'at work'])
  const away = new Error('away')
  const begun = withNews(ports, { afterMs: 0, tell: () => Promise.reject(away) }, async () => void said.push('again'))
  t.is(await t.throwsAsync(begun), away)
  t.deepEqual(said, ['begun', 'at work'])
})

test('news that cannot be told later are no failure of the work', async (t) => {
  const { timer, ports } = aScene()
  const tell = (): Promise<void> => Promise.reject(new Error('away'))
  const work = async (): Promise<string> => {
    timer.pass()
    return 'done'
  }
  t.is(await withNews(ports, { afterMs: 1000, tell }, work), 'done')
})

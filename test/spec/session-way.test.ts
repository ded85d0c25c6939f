import test from 'ava'

import { openSessionWay } from '../../infra/process/session-way.ts'

/** What is said, and timers that end when they are told to. */
function aSession(answers: readonly boolean[] = []) {
  const said: number[] = []
  const timers: { readonly ms: number; readonly run: () => void }[] = []
  const timer = {
    after(ms: number, run: () => void) {
      const entry = { ms, run }
      timers.push(entry)
      return () => void (timers.includes(entry) && timers.splice(timers.indexOf(entry), 1))
    },
  }
  const way = openSessionWay(10, timer, (niceness) => {
    said.push(niceness)
    return answers[said.length - 1] ?? true
  })
  /** The next one that is over, of those that take no longer. */
  const pass = (ms: number): void => {
    const due = timers.find((one) => one.ms <= ms)
    if (due) timers.splice(timers.indexOf(due), 1)
    due?.run()
  }
  return { way, said, pass, timers }
}

function anEnd() {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { end, work: () => ended }
}

test('a session gives way to nobody while there is something urgent, and gives way again soon after', async (t) => {
  const { way, said, pass } = aSession()
  const [one, other] = [anEnd(), anEnd()]
  const working = [way.hurried(one.work), way.hurried(other.work)]
  t.deepEqual(said, [0])
  one.end()
  await working[0]
  pass(1_000)
  t.deepEqual(said, [0])
  other.end()
  await working[1]
  t.deepEqual(said, [0])
  pass(1_000)
  t.deepEqual(said, [0, 10])
})

test('what follows at once finds it as it was', async (t) => {
  const { way, said, pass } = aSession()
  await way.hurried(async () => undefined)
  const next = anEnd()
  const working = way.hurried(next.work)
  pass(1_000)
  t.deepEqual(said, [0])
  next.end()
  await working
})

test('who takes long is no longer urgent', async (t) => {
  const { way, said, pass } = aSession()
  const long = anEnd()
  const working = way.hurried(long.work)
  pass(10_000)
  pass(1_000)
  t.deepEqual(said, [0, 10])
  long.end()
  await working
  pass(1_000)
  t.deepEqual(said, [0, 10])
})

test('what the kernel does not hear is said again', async (t) => {
  const { way, said, pass } = aSession([false, true])
  const urgent = anEnd()
  const working = way.hurried(urgent.work)
  t.deepEqual(said, [0])
  pass(1_000)
  t.deepEqual(said, [0, 0])
  urgent.end()
  await working
})

test('work that fails is not urgent any more, and its failure is passed on', async (t) => {
  const { way, said, pass, timers } = aSession()
  await t.throwsAsync(
    way.hurried(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  )
  pass(1_000)
  t.deepEqual(said, [0, 10])
  t.deepEqual(timers, [])
})

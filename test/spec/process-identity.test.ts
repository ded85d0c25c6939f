import { spawn } from 'node:child_process'
import { once } from 'node:events'

import test from 'ava'

import { identityOf, isRunning, startTicks, thisProcess } from '../../infra/process/process-identity.ts'

test('this process runs', (t) => {
  t.true(isRunning(thisProcess()))
})

test('a pid that was given to another process is not the same process', (t) => {
  t.false(isRunning({ pid: process.pid, startedAt: 'another time' }))
})

test('a process that ended does not run', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'spawn')
  const identity = identityOf(child.pid!)
  t.true(isRunning(identity!))
  child.kill('SIGKILL')
  await once(child, 'exit')
  t.false(isRunning(identity!))
})

test('the start time is found behind a program name with spaces and brackets', (t) => {
  const rest = '1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 1'
  t.is(startTicks(`42 (a) b (c)) S ${rest}`), '98765')
})

test('a zombie does not count as running', (t) => {
  t.is(startTicks(`42 (sh) Z 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 1`), undefined)
})

import test from 'ava'

import type { Blobs } from '../../actors/ports.ts'
import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { judgeClock } from '../../infra/cli/doctor/clock.ts'
import { broken, diagnosesInWords, doubtful, examine, healthy, isHealthy } from '../../infra/cli/doctor/diagnosis.ts'
import { judgeCopies, judgeStoreRoom } from '../../infra/cli/doctor/durability.ts'
import { judgeReadiness } from '../../infra/cli/doctor/gateway.ts'
import { judgeDisk, judgeSandbox } from '../../infra/cli/doctor/machine.ts'
import { judgeNode } from '../../infra/cli/doctor/programs.ts'
import { brokenPromise, judgeMark } from '../../infra/cli/doctor/storage.ts'
import { readConfig } from '../../infra/config/config.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'

const mib = 1024 * 1024

test('clocks may differ by what nobody can measure, and must not by what tokens are refused for', (t) => {
  const at = (skewMs: number) =>
    judgeClock({ check: 'clock', whose: 'It', theirsMs: 1e12 + skewMs, oursMs: 1e12, toleranceSeconds: 30 })
  t.deepEqual(
    [0, 2_000, -2_000, 2_001, -30_000, 30_001, -3_600_000].map((skewMs) => at(skewMs).state),
    ['ok', 'ok', 'ok', 'warning', 'warning', 'failed', 'failed'],
  )
  t.is(at(-3_600_000).reason, 'It is 3600.0 s behind the clock of this machine.')
  t.is(at(5_000).reason, 'It is 5.0 s ahead of the clock of this machine.')
})

test('a disk is judged by what uploads leave free, and by how many files it can still hold', (t) => {
  const at = (freeBytes: number, namesLeft = 1) =>
    judgeDisk({ names: ['data'], folder: '/srv', freeBytes, reserveBytes: 256 * mib, namesLeft }).state
  t.deepEqual([at(255 * mib), at(1023 * mib), at(1024 * mib), at(1024 * mib, 0.001)], [
    'failed',
    'warning',
    'ok',
    'warning',
  ]) // prettier-ignore
})

test('a store is well only when it is the one that the broker knows', (t) => {
  const at = (known: string | undefined, found: string | undefined) => judgeMark({ known, found }).state
  t.deepEqual([at('a', 'a'), at('a', undefined), at('a', 'b'), at(undefined, undefined)], [
    'ok',
    'failed',
    'failed',
    'warning',
  ]) // prettier-ignore
})

test('Node.js is compared by numbers', (t) => {
  t.deepEqual(
    ['20.18.0', '20.9.0', '22.1.0', '18.20.4'].map((version) => judgeNode(version, '20.18.0').state),
    ['ok', 'failed', 'ok', 'failed'],
  )
})

test('a sandbox that is not whole fails only where it is required', (t) => {
  t.is(judgeSandbox('ok', 'required').state, 'ok')
  t.is(judgeSandbox('It could use the network.', 'auto').state, 'warning')
  t.is(judgeSandbox('It could use the network.', 'required').state, 'failed')
})

test('who is not ready says why, and who is another program is told apart', (t) => {
  const at = (body: unknown) => judgeReadiness('gateway', 'http://there', JSON.stringify(body))
  t.is(at({ dependencies: { broker: 'ok', sandbox: 'It could use the network.' } }).state, 'ok')
  const notReady = at({ dependencies: { broker: 'ok', storage: 'The disk is full.' } })
  t.is(notReady.state, 'failed')
  t.regex(notReady.reason, /storage: The disk is full\.$/)
  t.regex(judgeReadiness('gateway', 'http://there', '<html>').reason, /is no Vaak/)
})

test('the room of the broker is judged by its limit', (t) => {
  const at = (storage: number, most: number) => judgeStoreRoom({ storage, limits: { max_storage: most } }).state
  t.deepEqual([at(10, -1), at(79, 100), at(80, 100), at(95, 100)], ['ok', 'ok', 'warning', 'failed'])
})

test('copies that are behind, that are one only, and streams without a leader are seen', (t) => {
  const config = (replicas: string) => readConfig({ NATS_REPLICAS: replicas })
  const copies = (current: boolean) => ({
    cluster: { name: 'c', leader: 'n1', replicas: [{ name: 'n2', current, active: 0, offline: false, lag: 0 }] },
  })
  t.is(judgeCopies(config('3'), [copies(true)]).state, 'ok')
  t.is(judgeCopies(config('3'), [copies(true), copies(false)]).state, 'warning')
  t.is(judgeCopies(config('3'), [{ cluster: { name: 'c' } }]).state, 'failed')
  t.is(judgeCopies(config('1'), [{ cluster: { name: 'c', leader: 'n1' } }]).state, 'warning')
  t.is(judgeCopies(config('1'), [{}]).state, 'ok')
})

test('a store that breaks a promise is found out, whichever it is', async (t) => {
  const blobs = await openDiskBlobs({ folder: await aFolder(t), log: aLog() })
  t.is(await brokenPromise(blobs), undefined)
  const breaking: readonly [RegExp, Partial<Blobs>][] = [
    [/conditional write/, { put: async (key, source) => blobs.put(key, source) }],
    [/not listed/, { async *list() {} }],
    [/range/, { open: async (key) => blobs.open(key) }],
    [/still there/, { remove: async () => true }],
    [/as it was before/, { put: async (key, source) => blobs.put(key, source, { ifAbsent: true }) }],
  ]
  for (const [complaint, bad] of breaking) t.regex((await brokenPromise({ ...blobs, ...bad })) ?? '', complaint)
})

test('a look that fails is told like any other, and the rest is looked at', async (t) => {
  const diagnoses = await examine(
    [
      { about: 'odd', look: () => Promise.reject(new Error('the wire is cut')) },
      { about: 'good', look: async () => [healthy('good', 'It is.')] },
    ],
    { progress: noProgress('test'), stopping: new AbortController().signal },
  )
  t.deepEqual(
    diagnoses.map(({ check, state, reason }) => [check, state, reason]),
    [
      ['odd', 'failed', 'the wire is cut'],
      ['good', 'ok', 'It is.'],
    ],
  )
  t.false(isHealthy(diagnoses))
  t.true(isHealthy([healthy('a', 'b'), doubtful('c', 'd', 'e')]))
})

test('each diagnosis is a line, with what to do below it', (t) => {
  const text = diagnosesInWords([
    healthy('disk', 'There is room.'),
    doubtful('clock.broker', 'It is late.', 'Wait.'),
    broken('ports', 'Taken.', 'Stop it.'),
  ])
  t.is(
    text,
    [
      'ok       disk          There is room.',
      'warning  clock.broker  It is late.',
      '                       → Wait.',
      'failed   ports         Taken.',
      '                       → Stop it.',
      '',
      '1 ok, 1 warnings, 1 failed.',
      '',
    ].join('\n'),
  )
})

import type { ExecutionContext, TestFn } from 'ava'

import type { BatchCommand } from '../../actors/batch/protocol.ts'
import type { Reports } from '../../actors/run/ports.ts'
import type { RunCommand } from '../../actors/run/protocol.ts'
import type { StepError } from '../../actors/run/state.ts'
import type { ReportGroup } from '../../infra/nats/reports/report-groups.ts'
import { aBatchId, anOwner } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { aFileRef } from '../support/queues.ts'

interface ReportsUnderTest {
  readonly reports: Reports
  /** Somebody who handles them, drained with the test. */
  readonly run: (handle: (group: ReportGroup) => Promise<void>) => { drain(graceMs: number): Promise<void> }
}

const error: StepError = { code: 'worker_failed', message: 'It broke: "वाक्"', attempts: 2, atMs: 5 }

const fileCommands: readonly RunCommand[] = [
  { type: 'Begin', step: 'plan', attempt: 1, atMs: 1.5 },
  { type: 'Planned', total: 0, seconds: 3.25 },
  { type: 'StepFailed', step: 'assemble', attempt: 3, error, delayMs: 100 },
  { type: 'StepFailed', step: 'plan', attempt: 4, error: { ...error, chunk: 0 } },
  { type: 'FanOutFailed', error },
  { type: 'ChunkStarted', chunk: 0, attempt: 1, atMs: 3 },
  { type: 'ChunkRetrying', chunk: 1, attempt: 1, error },
  { type: 'ChunkDone', chunk: 2, atMs: 4 },
  { type: 'ChunkFailed', chunk: 3, error },
  { type: 'ChunksLost', chunks: [4, 5], atMs: 5 },
  { type: 'Assembled', atMs: 6 },
  { type: 'Assembled', atMs: 6, wordlessSeconds: 1.5, language: 'hi' },
  { type: 'Cancel', atMs: 7 },
  { type: 'Purge' },
  { type: 'Wake' },
]

const batchCommands: readonly BatchCommand[] = [
  { type: 'FileMoved', index: 0, standing: 'partial', chunks: 3, seconds: 4.5, estimatedSeconds: 5, atMs: 6 },
  { type: 'Wake' },
]

/** What every way of reporting owes those who report and the records they report to. */
export function reportsContract(test: TestFn, open: (t: ExecutionContext) => Promise<ReportsUnderTest>): void {
  test.serial('everything that may be said to a file or a batch arrives as it was said, in order', async (t) => {
    const { reports, run } = await open(t)
    const ref = aFileRef({ index: 3 })
    const batch = { owner: anOwner(), batchId: aBatchId() }
    const order = { ...ref, filename: 'not for a report' }
    for (const [at, command] of fileCommands.entries()) await reports.toFile(order, command, `file:${at}`)
    for (const [at, command] of batchCommands.entries()) await reports.toBatch(batch, command, `batch:${at}`)
    const groups: ReportGroup[] = []
    run(async (group) => void groups.push(group))
    const told = (): unknown[] => groups.flatMap(({ commands }): readonly unknown[] => commands)
    await eventually('all has arrived', () => told().length === fileCommands.length + batchCommands.length)
    const toFile = groups.flatMap((group) => (group.to === 'file' ? [group] : []))
    const toBatch = groups.flatMap((group) => (group.to === 'batch' ? [group] : []))
    for (const group of toFile) t.deepEqual(group.ref, ref)
    for (const { owner, batchId } of toBatch) t.deepEqual({ owner, batchId }, batch)
    // how many come together is a matter of time
    t.deepEqual(
      toFile.flatMap(({ commands }) => commands),
      [...fileCommands],
    )
    t.deepEqual(
      toBatch.flatMap(({ commands }) => commands),
      [...batchCommands],
    )
  })

  test.serial('what is no report is refused as a bug instead of being thrown away by who reads it', async (t) => {
    const { reports } = await open(t)
    const timeless = { type: 'ChunkDone', chunk: 0, atMs: Number.NaN } as const
    await t.throwsAsync(reports.toFile(aFileRef(), timeless, 'one'), { name: 'Error' })
  })

  test.serial('the same id is told once', async (t) => {
    const { reports, run } = await open(t)
    const ref = aFileRef()
    for (let time = 0; time < 3; time += 1)
      await reports.toFile(ref, { type: 'ChunkDone', chunk: 0, atMs: 1 }, 'done:0')
    await reports.toFile(ref, { type: 'Wake' }, 'wake')
    const commands: unknown[] = []
    run(async (group) => void commands.push(...group.commands))
    await eventually('the last is told', () => commands.length >= 2)
    t.deepEqual(commands, [{ type: 'ChunkDone', chunk: 0, atMs: 1 }, { type: 'Wake' }])
  })

  test.serial('what is not handled is told again, and does not hold up the others', async (t) => {
    const { reports, run } = await open(t)
    const [poor, rich] = [aFileRef(), aFileRef()]
    await reports.toFile(poor, { type: 'Wake' }, 'poor')
    for (let chunk = 0; chunk < 100; chunk += 1)
      await reports.toFile(rich, { type: 'ChunkDone', chunk, atMs: 1 }, `rich:${chunk}`)
    let failures = 0
    const done = new Map<string, number>()
    run(async (group) => {
      if (group.to !== 'file') return
      const { fileId } = group.ref
      if (fileId === poor.fileId && failures < 2) {
        failures += 1
        throw new Error('as the test wants it')
      }
      done.set(fileId, (done.get(fileId) ?? 0) + group.commands.length)
    })
    await eventually('the others are told', () => done.get(rich.fileId) === 100)
    await eventually('it is told again', () => done.get(poor.fileId) === 1)
    t.is(failures, 2)
  })

  test.serial('one record is told one thing at a time, and others at the same time', async (t) => {
    const { reports, run } = await open(t)
    const refs = Array.from({ length: 4 }, () => aFileRef())
    const running: string[] = []
    let together = 0
    let twice = 0
    let told = 0
    run(async (group) => {
      const fileId = group.to === 'file' ? group.ref.fileId : ''
      if (running.includes(fileId)) twice += 1
      running.push(fileId)
      together = Math.max(together, running.length)
      // until all four have come once, so that they meet
      await eventually('the others are told too', () => together === refs.length)
      running.splice(running.indexOf(fileId), 1)
      told += group.commands.length
    })
    for (let chunk = 0; chunk < 20; chunk += 1)
      for (const ref of refs) await reports.toFile(ref, { type: 'ChunkDone', chunk, atMs: 1 }, `${ref.fileId}:${chunk}`)
    await eventually('all is told', () => told === 20 * refs.length)
    t.is(together, refs.length)
    t.is(twice, 0)
  })

  test.serial('who leaves finishes what is begun; what is not, another is told', async (t) => {
    const { reports, run } = await open(t)
    const ref = aFileRef()
    await reports.toFile(ref, { type: 'Wake' }, 'one')
    let begun = 0
    const first = run(() => {
      begun += 1
      return new Promise(() => undefined)
    })
    await eventually('it is begun', () => begun === 1)
    await first.drain(0)
    const groups: ReportGroup[] = []
    const second = run(async (group) => void groups.push(group))
    await eventually('another is told', () => groups.length > 0)
    t.deepEqual(groups, [{ to: 'file', ref, commands: [{ type: 'Wake' }] }])
    await second.drain(5_000)
    await reports.toFile(ref, { type: 'Purge' }, 'two')
    const third: ReportGroup[] = []
    run(async (group) => void third.push(group))
    await eventually('a third is told', () => third.length > 0)
    t.deepEqual(third, [{ to: 'file', ref, commands: [{ type: 'Purge' }] }])
  })
}

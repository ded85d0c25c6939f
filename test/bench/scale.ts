import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { parseArgs, promisify } from 'node:util'

import { progressOn } from '../../infra/telemetry/progress.ts'
import { eventually } from '../support/eventually.ts'
import { startService } from './service.ts'
import type { BenchService } from './service.ts'
import { machine, percentile, printTable } from './table.ts'

const requests = 60
const warmUp = 10
/** Users whose batches are on their way at once while the queue is filled. */
const atOnce = 4
const answersWithinMs = 600_000
/** More than anybody waits for here, as an operator of so many would set it. */
const roomy = { LOG_LEVEL: 'error', QUEUE_MAX_FILES: '10000000', QUEUE_MAX_FILES_PER_USER: '10000000' }

type Row = Record<string, string | number>

/**
 * What the thousandth waiting file costs and what the millionth: `npm run bench -- scale [--users 1000] [--files 1000]`, files being those of
 * each user. A gateway and a broker, nobody transcribes.
 */
export async function benchScale(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { users: { type: 'string', default: '1000' }, files: { type: 'string', default: '1000' } },
  })
  const [users, files] = [Number(values.users), Number(values.files)]
  const service = await startService(roomy)
  try {
    const first = await submitFiles(service, 'user-0', files)
    const few = await timesOf(service, first)
    const before = await brokerOf(service)
    await fill(service, { users, files })
    const many = await timesOf(service, first)
    const after = await brokerOf(service)
    const rows = Object.keys(few).map((what): Row => compared(what, few[what]!, many[what]!))
    printTable(`${files} files wait, then ${users * files} of ${users} users (${machine()})`, rows)
    const added = (users - 1) * files
    printTable('The broker', [
      {
        'disk, bytes a file': Math.round((after.diskBytes - before.diskBytes) / added),
        'disk, MB': Math.round(after.diskBytes / 1e6),
        'memory, MB': Math.round(after.memoryBytes / 1e6),
        'memory, bytes a file': Math.round((after.memoryBytes - before.memoryBytes) / added),
        'gateway, MB': Math.round(await service.memoryMb()),
        'killed and back after': `${((await restartMs(service, first)) / 1000).toFixed(1)} s`,
      },
    ])
  } finally {
    await service.stop()
  }
}

interface Waiting {
  readonly token: string
  readonly batchId: string
}

async function fill(service: BenchService, { users, files }: { users: number; files: number }): Promise<void> {
  const progress = progressOn(process.stderr)(`submitting ${users * files} files`)
  let next = 1
  const submitSome = async (): Promise<void> => {
    while (next < users) {
      const user = next++
      await submitFiles(service, `user-${user}`, files)
      progress.update(user / users)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, submitSome))
  progress.done()
}

async function submitFiles(service: BenchService, user: string, files: number): Promise<Waiting> {
  const token = await service.tokenOf(user)
  const sources = Array.from({ length: files }, (_, at) => ({ url: `https://example.org/${user}/calls/${at}.mp3` }))
  const { batch_id: batchId } = (await ask(service, { token, path: '/transcribe/batch', json: { sources } })) as {
    batch_id: string
  }
  return { token, batchId }
}

interface Asked {
  readonly token: string
  readonly path: string
  readonly json?: object
}

async function ask({ url }: BenchService, { token, path, json }: Asked): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}`, ...(json && { 'Content-Type': 'application/json' }) }
  const body = json && { method: 'POST', body: JSON.stringify(json) }
  const response = await fetch(`${url}${path}`, { headers, ...body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

/** Of one who is new, and of one who has been waiting since before the others came. */
async function timesOf(service: BenchService, { token, batchId }: Waiting): Promise<Record<string, number[]>> {
  const small = { sources: [{ url: 'https://example.org/one.mp3' }] }
  const newcomer = await service.tokenOf('newcomer')
  return {
    'submission of one file': await repeated(() =>
      ask(service, { token: newcomer, path: '/transcribe/batch', json: small }),
    ),
    status: await repeated(() => ask(service, { token, path: `/transcribe/status/batch/${batchId}` })),
    'first page of the results': await repeated(() =>
      ask(service, { token, path: `/transcribe/results/batch/${batchId}` }),
    ),
    'first page of the batches': await repeated(() => ask(service, { token, path: '/transcribe/batches' })),
  }
}

async function repeated(act: () => Promise<unknown>): Promise<number[]> {
  const timesMs: number[] = []
  for (let count = 0; count < warmUp + requests; count += 1) {
    const startedMs = performance.now()
    await act()
    if (count >= warmUp) timesMs.push(performance.now() - startedMs)
  }
  return timesMs
}

function compared(what: string, few: readonly number[], many: readonly number[]): Row {
  const shown = (values: readonly number[], share: number): string => `${percentile(values, share).toFixed(1)} ms`
  return {
    what,
    'p50, few': shown(few, 0.5),
    'p50, many': shown(many, 0.5),
    'times as long': (percentile(many, 0.5) / percentile(few, 0.5)).toFixed(2),
    'p95, few': shown(few, 0.95),
    'p95, many': shown(many, 0.95),
  }
}

async function brokerOf({ nats }: BenchService): Promise<{ diskBytes: number; memoryBytes: number }> {
  const { stdout } = await promisify(execFile)('du', ['--summarize', '--bytes', nats.storeDir])
  const status = await readFile(`/proc/${nats.pid}/status`, 'utf8')
  return { diskBytes: Number.parseInt(stdout, 10), memoryBytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024 }
}

/** Until somebody gets an answer again. */
async function restartMs(service: BenchService, { token, batchId }: Waiting): Promise<number> {
  const startedMs = performance.now()
  await service.nats.restart('SIGKILL')
  const answers = (): Promise<boolean> =>
    ask(service, { token, path: `/transcribe/status/batch/${batchId}` }).then(
      () => true,
      () => false,
    )
  await eventually('the gateway answers', answers, answersWithinMs)
  return performance.now() - startedMs
}

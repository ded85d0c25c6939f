import { readFile } from 'node:fs/promises'

import test from 'ava'

import { readConfig } from '../../infra/config/config.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'

/** Of a process, as the kernel tells it: the seventeenth number behind its name. */
async function nicenessOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.split(') ').at(-1)?.split(' ')[16])
}

test('a worker gives way to others unless it is told not to', (t) => {
  t.is(readConfig({}).workerNiceness, 10)
})

for (const niceness of [0, 3, 10])
  test(`with WORKER_NICENESS=${niceness} a worker gives way by ${niceness} steps`, async (t) => {
    const { startWorker } = await aPipeline(t, await aNatsServer(t))
    const worker = await startWorker({ WORKER_NICENESS: String(niceness) })
    t.is(await nicenessOf(worker.pid), Math.max(niceness, await nicenessOf(process.pid)))
  })

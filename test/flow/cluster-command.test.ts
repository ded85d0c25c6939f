import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { openRoundRobin } from '../../infra/dev/cluster/round-robin.ts'
import { isRunning } from '../../infra/process/process-identity.ts'
import { openApi } from '../support/api.ts'
import { clusterKinds, startCluster } from '../support/cluster-command.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { metricsAt } from '../support/metrics.ts'
import { natsServerForTests } from '../support/nats.ts'
import { submit } from '../support/pipeline.ts'
import { descendantsOf } from '../support/process-tree.ts'
import { aRemoteServer, whole } from '../support/remote.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const recordings = Array.from({ length: 6 }, (_, index) => ({
  name: `${index}.wav`,
  content: aScriptedRecording(scriptedSeconds(5, index * 10)),
}))
/** What a killed worker had in hand is given to another after five seconds instead of thirty. */
const soon = { ACK_WAIT_MS: '5000', STALE_MS: '10000', SWEEP_MS: '2000' }
/** Ten processes on a machine with other things to do. */
const withinMs = 300_000

async function aRunningCluster(t: ExecutionContext, dataDir: string) {
  const environment = { ...soon, DATA_DIR: dataDir, LOG_LEVEL: 'error', SHUTDOWN_SECONDS: '2' }
  const cluster = await startCluster(t, environment)
  return { ...cluster, api: await openApi(t, cluster, cluster.token) }
}

test('npm run cluster loses nothing when one process of each kind is killed, nor when it is stopped', async (t) => {
  t.timeout(2 * withinMs)
  await natsServerForTests()
  const dataDir = await aFolder(t)
  const first = await aRunningCluster(t, dataDir)
  const kinds = clusterKinds.map((kind) => first.processesOf(kind))
  t.deepEqual(
    kinds.map(({ length }) => length),
    [3, 2, 3, 2],
  )

  const batch = await submit(first.api, recordings, {})
  for (const [victim] of kinds) process.kill(victim!.pid, 'SIGKILL')
  const finished = await eventually(
    'the batch is finished',
    async () => {
      const { body } = await first.api.get(`/transcribe/status/batch/${batch.batchId}`)
      return body.status === 'completed' && body
    },
    withinMs,
  )
  t.is(finished.status, 'completed')
  await eventually('a gateway and a worker are back', () => {
    const back = clusterKinds.map((kind) => first.processesOf(kind).length)
    return back.join() === '2,2,3,2'
  })

  const [metricsPort = 0] = await gatewayMetricsPorts(dataDir)
  await eventually(
    'the gateways tell that a broker is away',
    async () => (await metricsAt(metricsPort)).get('vaak_broker_copies_away') === 1,
    withinMs,
  )

  const all = descendantsOf(first.running.pid)
  t.deepEqual(await first.running.stop(), { code: 0, signal: null })
  t.deepEqual(all.filter(isRunning), [])

  const second = await aRunningCluster(t, dataDir)
  const { body } = await second.api.get(`/transcribe/results/batch/${batch.batchId}?limit=50`)
  t.deepEqual(
    body.files.map(({ status }: { status: string }) => status),
    recordings.map(() => 'completed'),
  )
})

test('behind the one address, connections go to one server after the other, and past one that is dead', async (t) => {
  const servers = [await aRemoteServer(t, whole(Buffer.from('a'))), await aRemoteServer(t, whole(Buffer.from('b')))]
  const dead = 'http://127.0.0.1:1'
  const proxy = await openRoundRobin({
    host: '127.0.0.1',
    port: 0,
    targets: [servers[0]!.url, dead, servers[1]!.url],
  })
  t.teardown(() => proxy.close())
  const answers: string[] = []
  for (let times = 0; times < 6; times += 1)
    answers.push(await (await fetch(proxy.url, { headers: { connection: 'close' } })).text())
  t.deepEqual(answers, ['a', 'b', 'b', 'a', 'b', 'b'])
})

/** From the configuration that is made for Prometheus. */
async function gatewayMetricsPorts(dataDir: string): Promise<number[]> {
  const text = await readFile(join(dataDir, 'cluster', 'prometheus.yml'), 'utf8')
  const { scrape_configs: jobs } = JSON.parse(text) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
  } // as: our own file
  const gateways = jobs.filter(({ job_name: name }) => name === 'vaak-gateway')
  const targets = gateways.flatMap(({ static_configs: places }) => places.flatMap((place) => place.targets))
  return targets.map((target) => Number(target.split(':')[1]))
}

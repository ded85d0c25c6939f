import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { openDevelopmentIssuer } from '../../../infra/identity/development-issuer.ts'
import { systemClock } from '../../../infra/timing/clock.ts'
import { startCrowd } from '../../chaos/clients/crowd.ts'
import { createLedger } from '../../chaos/clients/ledger.ts'
import type { ChaosRecording, RecordingOptions } from '../../chaos/clients/recordings.ts'
import { createHistory } from '../../chaos/history.ts'
import type { History } from '../../chaos/history.ts'
import { startCluster } from '../../support/cluster-command.ts'
import { interrupted, interruption } from '../../support/interruption.ts'
import { ensurePrometheus, startPrometheus } from '../../support/prometheus.ts'
import type { Prometheus } from '../../support/prometheus.ts'
import { aScriptedRecording, textsOf } from '../../support/scripted-speech.ts'
import { lookAtDashboard } from './dashboard-looks.ts'
import type { DashboardLook } from './dashboard-looks.ts'
import { clusterBenchOptions } from './options.ts'
import type { ClusterBenchOptions } from './options.ts'
import { printClusterReport } from './report.ts'
import type { ClusterRun, Kill } from './run.ts'
import { startTalkers } from './talkers.ts'

type Cluster = Awaited<ReturnType<typeof startCluster>>
type Endings = { teardown(end: () => unknown): void }

/** One address asks for everybody here. */
const unheld = { RATE_USER_PER_SECOND: '0', RATE_ADDRESS_PER_SECOND: '0', LOG_LEVEL: 'error', SHUTDOWN_SECONDS: '5' }
const stillSeconds = 240
/** Our Prometheus looks each 5 s, and a rate takes two looks. */
const seenAfterMs = 12_000
const secondsMost = 20

/**
 * Users who upload, submit, watch, read and delete over the one address of `npm run cluster`, beside people who talk; with `--kill` while its
 * processes die. What they were promised is held against what they get.
 */
export async function benchCluster(words: readonly string[]): Promise<void> {
  const options = clusterBenchOptions(words)
  const endings: (() => unknown)[] = []
  let isInterrupted = false
  try {
    await Promise.race([measured(options, { teardown: (end) => void endings.unshift(end) }), interruption()])
  } catch (error) {
    isInterrupted = error === interrupted
    if (!isInterrupted) throw error
  } finally {
    for (const end of endings) await end()
  }
  // what is still under way has lost everything under its feet
  if (isInterrupted) process.exit(130)
}

async function measured(options: ClusterBenchOptions, t: Endings): Promise<void> {
  if (options.dashboard) await ensurePrometheus()
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const cluster = await startCluster(t, { DATA_DIR: folder, ...unheld })
  const place = join(folder, 'cluster')
  const watching = { configFile: join(place, 'prometheus.yml'), dataFolder: join(folder, 'prometheus') }
  const prometheus = options.dashboard ? await startPrometheus(t, watching) : undefined
  const run = await Promise.race([loaded(options, { cluster, place, prometheus }), endOf(cluster)])
  printClusterReport(run)
  if (run.history.complaints.length > 0) process.exitCode = 1
  await cluster.running.stop()
}

/** One that gave up while it was measured; whoever waits for its answers would wait for minutes. */
async function endOf({ running }: Cluster): Promise<never> {
  const { code } = await running.ended
  throw new Error(`the cluster ended with ${code}:\n${running.stderr}`)
}

interface Scene {
  readonly cluster: Cluster
  readonly place: string
  readonly prometheus: Prometheus | undefined
}

async function loaded(options: ClusterBenchOptions, scene: Scene): Promise<ClusterRun> {
  const { cluster, place } = scene
  const { url } = cluster
  const issuer = await openDevelopmentIssuer({ folder: join(place, 'identity'), nodeEnv: '', clock: systemClock })
  const tokenOf = (user: string): Promise<string> => issuer.sign({ user })
  const history = createHistory()
  const ledger = createLedger(history)
  const progress = (): number =>
    ledger.answered() + ledger.files.size + [...ledger.files.values()].reduce((sum, file) => sum + file.heard.size, 0)
  const rig = { gateways: [{ name: 'proxy', url }], tokenOf }
  const tokens = await Promise.all(Array.from({ length: options.talkers }, (_, at) => tokenOf(`talker-${at + 1}`)))
  const talkers = startTalkers(url, tokens)
  const { users } = options
  const crowd = await startCrowd({ rig, history, ledger, seed: 1, users, progress, makeRecording: plainRecording })
  const { kills, looks } = await killInTurn(options, { ...scene, history })
  const loadMs = history.nowMs()
  await crowd.end(stillSeconds)
  await talkers.end().catch((error: unknown) => history.complain('live', `a conversation: ${String(error)}`))
  const endedMs = history.nowMs()
  await crowd.lookBack()
  return { options, history, ledger, talkers: talkers.seen, kills, looks, loadMs, endedMs }
}

/** Of any length, and nothing in it fails. */
function plainRecording({ random, nextAudio }: RecordingOptions): ChaosRecording {
  const seconds = Array.from({ length: random.between(1, secondsMost) }, () => ({ audio: nextAudio() }))
  const content = aScriptedRecording(seconds)
  const chunks = textsOf(content).map((text) => ({ text, varies: false, fails: false }))
  return { content, chunks, outcome: 'completed', calls: chunks.length }
}

type Told = Pick<ClusterRun, 'kills' | 'looks'>

/** Resolves when the time of the run is over. */
async function killInTurn(options: ClusterBenchOptions, scene: Scene & { history: History }): Promise<Told> {
  const { cluster, prometheus, history } = scene
  const kills: Kill[] = []
  const looks: { when: string; look: DashboardLook }[] = []
  const look = async (when: string): Promise<void> => {
    if (prometheus) looks.push({ when, look: await lookAtDashboard(prometheus) })
  }
  const betweenMs = (options.seconds * 1000) / (options.kill.length + 1)
  for (const kind of options.kill) {
    await pause(Math.max(0, (kills.length + 1) * betweenMs - history.nowMs()))
    if (kills.length === 0) await look('before')
    const [victim] = cluster.processesOf(kind)
    if (!victim) throw new Error(`no ${kind} runs`)
    process.kill(victim.pid, 'SIGKILL')
    kills.push({ kind, atMs: history.nowMs() })
    process.stderr.write(`killed a ${kind} (${victim.pid}) after ${Math.round(history.nowMs() / 1000)} s\n`)
    if (prometheus) await pause(seenAfterMs)
    await look(`after a ${kind} died`)
  }
  await pause(Math.max(0, options.seconds * 1000 - history.nowMs()))
  return { kills, looks }
}

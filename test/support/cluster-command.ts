import { fileURLToPath } from 'node:url'

import type { ExecutionContext } from 'ava'

import { descendantsOf } from './process-tree.ts'
import type { RunningProcess } from './process-tree.ts'
import { startProgram } from './processes.ts'
import type { VaakProcess } from './processes.ts'

const program = fileURLToPath(new URL('../../infra/dev/cluster/cluster.js', import.meta.url))

export const clusterKinds = ['broker', 'gateway', 'worker', 'realtime'] as const
export type ClusterKind = (typeof clusterKinds)[number]

const commands: Readonly<Record<ClusterKind, RegExp>> = {
  broker: /nats-server/,
  gateway: /vaak\.js gateway/,
  worker: /vaak\.js worker/,
  realtime: /vaak\.js realtime/,
}

interface RunningCluster {
  readonly running: VaakProcess
  /** Of the proxy before all gateways. */
  readonly url: string
  readonly token: string
  processesOf(kind: ClusterKind): RunningProcess[]
}

/** `npm run cluster`, with words that follow from the audio and the voice that takes least. */
export async function startCluster(
  t: Pick<ExecutionContext, 'teardown'>,
  environment: Readonly<Record<string, string>>,
): Promise<RunningCluster> {
  const light = { PORT: '0', RECOGNISER: 'scripted', TTS_ENGINE: 'light' }
  const running = startProgram(t, { program, words: [], environment: { ...light, ...environment } })
  const url = await running.ready()
  const [, token = ''] = /VAAK_TOKEN=(\S+)/.exec(running.stdout) ?? []
  const processesOf = (kind: ClusterKind): RunningProcess[] =>
    descendantsOf(running.pid).filter(({ command }) => commands[kind].test(command))
  return { running, url, token, processesOf }
}

import { parseArgs } from 'node:util'

import { clusterKinds } from '../../support/cluster-command.ts'
import type { ClusterKind } from '../../support/cluster-command.ts'

export interface ClusterBenchOptions {
  readonly users: number
  readonly talkers: number
  readonly seconds: number
  /** One process of each of these is killed, one after the other. */
  readonly kill: readonly ClusterKind[]
  /** Whether a Prometheus looks on, and what the dashboard shows is printed. */
  readonly dashboard: boolean
}

/** `npm run bench -- cluster [--users 8] [--talkers 2] [--seconds 60] [--kill all | broker,gateway,worker,realtime] [--dashboard]` */
export function clusterBenchOptions(words: readonly string[]): ClusterBenchOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      users: { type: 'string', default: '8' },
      talkers: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '60' },
      kill: { type: 'string', default: '' },
      dashboard: { type: 'boolean', default: false },
    },
  })
  const named = values.kill === 'all' ? [...clusterKinds] : values.kill.split(',').filter((name) => name !== '')
  return {
    users: positive('users', values.users),
    talkers: positive('talkers', values.talkers),
    seconds: positive('seconds', values.seconds),
    kill: named.map(kindCalled),
    dashboard: values.dashboard,
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} ${text}: it takes a whole number`)
  return number
}

function kindCalled(name: string): ClusterKind {
  const kind = clusterKinds.find((one) => one === name)
  if (!kind) throw new Error(`--kill ${name}: it is one of ${clusterKinds.join(', ')}, or all`)
  return kind
}

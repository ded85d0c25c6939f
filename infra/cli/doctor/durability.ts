import type { StreamInfo } from '@nats-io/jetstream'
import { z } from 'zod'

import type { Config } from '../../config/config.ts'
import { readStoreSettings } from '../../nats-server/settings.ts'
import { ownStoreOf } from '../../up/own-broker.ts'
import { UsageError } from '../command.ts'
import { askHttp } from './ask-http.ts'
import { broken, doubtful, healthy } from './diagnosis.ts'
import type { Diagnosis, Examination } from './diagnosis.ts'

/** Of what may be stored, from here on there is something to say; and from here on it is late. */
const fullFrom = 0.8
const lateFrom = 0.95

export function judgeStoreRoom(account: { storage: number; limits: { max_storage: number } }): Diagnosis {
  return judgeFill('broker.room', { used: account.storage, most: account.limits.max_storage })
}

/** A server says a most of -1 or 0 where there is none. */
function judgeFill(check: string, { used, most }: { readonly used: number; readonly most: number }): Diagnosis {
  if (most <= 0) return healthy(check, `${used} bytes are stored, and this user has no limit of its own.`)
  const reason = `${used} of ${most} bytes are stored.`
  const advice = 'Raise max_file_store, or the limit of the account, and see that the disk has that much.'
  if (used >= most * lateFrom) return broken(check, reason, `${advice} What does not fit is refused.`)
  return used >= most * fullFrom ? doubtful(check, reason, advice) : healthy(check, reason)
}

export function judgeCopies(
  { natsReplicas: wanted }: Config,
  streams: readonly Pick<StreamInfo, 'cluster'>[],
): Diagnosis {
  const check = 'broker.replicas'
  const behind = streams.filter(({ cluster }) => cluster?.replicas?.some(({ current, offline }) => !current || offline))
  const leaderless = streams.filter(({ cluster }) => cluster?.name !== undefined && !cluster.leader)
  const isCluster = streams.some(({ cluster }) => cluster?.name !== undefined)
  if (leaderless.length > 0)
    return broken(
      check,
      `${leaderless.length} streams have no leader.`,
      'Bring nodes of the broker back: most of them must be there.',
    )
  if (behind.length > 0)
    return doubtful(
      check,
      `Copies of ${behind.length} streams are behind or away.`,
      'See that all nodes of the broker run; they catch up by themselves.',
    )
  if (wanted === 1 && isCluster)
    return doubtful(
      check,
      'The broker is a cluster, and every stream has one copy.',
      'Set NATS_REPLICAS=3 and run "vaak migrate --apply".',
    )
  return healthy(
    check,
    wanted === 1 ? 'Every stream has one copy, on one server.' : `Every stream has ${wanted} copies.`,
  )
}

const monitoredSchema = z.object({
  server_name: z.string(),
  version: z.string(),
  jetstream: z.object({
    config: z
      .object({ max_storage: z.number(), sync_always: z.boolean().optional(), sync_interval: z.number().optional() })
      .optional(),
    stats: z.object({ storage: z.number() }).optional(),
  }),
})

/** What only the server itself knows: its settings, or its monitoring port, which `--monitor` names. */
export function lookAtDurability(config: Config, monitors: readonly string[]): Examination {
  return {
    about: 'broker.sync',
    async look() {
      if (config.natsUrl === '') return lookAtOwnStore(config)
      if (monitors.length > 0) return (await Promise.all(monitors.map(lookAtMonitor))).flat()
      return [
        doubtful(
          'broker.sync',
          'Whether the broker syncs what it acknowledges cannot be asked over NATS.',
          'Look at its monitoring port: vaak doctor --monitor http://HOST:8222 (several with commas, one for each server).',
        ),
      ]
    },
  }
}

async function lookAtOwnStore({ dataDir }: Config): Promise<Diagnosis[]> {
  const store = await readStoreSettings(ownStoreOf(dataDir))
  if (!store) return []
  return [judgeSync('broker.sync', 'The private nats-server', store.sync_interval === 'always')]
}

async function lookAtMonitor(monitor: string): Promise<Diagnosis[]> {
  const { body } = await askHttp(`${monitor}/varz`)
  const said = monitoredSchema.safeParse(JSON.parse(body)).data
  if (!said) throw new UsageError(`${monitor}/varz is not what a nats-server says.`)
  const { server_name: name, jetstream } = said
  const { config, stats } = jetstream
  if (!config) return [broken(`broker.sync.${name}`, `JetStream is off on ${name}.`, 'Turn it on in its settings.')]
  return [
    judgeSync(`broker.sync.${name}`, name, config.sync_always === true),
    judgeFill(`broker.store.${name}`, { used: stats?.storage ?? 0, most: config.max_storage }),
  ]
}

function judgeSync(check: string, whose: string, isAlways: boolean): Diagnosis {
  if (isAlways) return healthy(check, `${whose} syncs what it acknowledges.`)
  return broken(
    check,
    `${whose} acknowledges what is not on its disk yet: a power cut takes it back.`,
    'Set "sync_interval: always" in the jetstream block of its settings, and start it anew.',
  )
}

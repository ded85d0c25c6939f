import { randomUUID } from 'node:crypto'

import { jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream'
import type { NatsConnection } from 'nats'

import type { Log } from '../../../actors/ports.ts'
import type { Config } from '../../config/config.ts'
import { brokerCheck } from '../../health/broker-check.ts'
import { openBrokerClock } from '../../nats/connection/broker-clock.ts'
import { disconnectNats } from '../../nats/connection/connect.ts'
import { openRecords } from '../../nats/records/records.ts'
import { clientOn } from '../../nats/records/stores.ts'
import type { BrokerClient } from '../../nats/records/stores.ts'
import { planMigration } from '../../nats/topology/migrate.ts'
import { plannedTopology } from '../../nats/topology/planned.ts'
import { brokerRoles, inboxPrefixOf, topologyOf } from '../../nats/topology/roles.ts'
import type { BrokerRole } from '../../nats/topology/roles.ts'
import { buckets } from '../../nats/topology/topology.ts'
import { isRecentEnough, minimumVersion } from '../../nats-server/version.ts'
import { systemClock } from '../../timing/clock.ts'
import { connectForCommand, runningBroker } from '../broker.ts'
import { UsageError } from '../command.ts'
import { errorInWords } from '../error-in-words.ts'
import { judgeClock } from './clock.ts'
import { broken, doubtful, healthy } from './diagnosis.ts'
import type { Diagnosis, Examination } from './diagnosis.ts'
import { judgeCopies, judgeStoreRoom } from './durability.ts'
import { lookAtMark } from './storage.ts'

const check = 'broker.connection'
const patience = { timeout: 10_000 }
/** What the largest records need; also what nats-server has unless told. */
const payloadNeededBytes = 1024 * 1024

/** The one that the services use: NATS_URL, or that of a `vaak up` on this DATA_DIR. */
export function lookAtBroker(config: Config, log: Log): Examination {
  return {
    about: 'broker',
    async look() {
      let connection: NatsConnection
      try {
        connection = await connectForCommand(await runningBroker(config), { name: 'vaak-doctor', log })
      } catch (error) {
        return [unreached(config, error)]
      }
      try {
        return [...judgeServer(connection), ...(await lookAtJetStream(config, connection, log))]
      } finally {
        await disconnectNats(connection)
      }
    },
  }
}

function unreached(config: Config, error: unknown): Diagnosis {
  const reason = errorInWords(error)
  if (error instanceof UsageError)
    return doubtful(
      check,
      reason,
      'Before the first start that is as it should be; broker and storage mark were not looked at.',
    )
  const advice =
    config.natsUrl === ''
      ? 'Start "vaak up" on this DATA_DIR, which brings its broker.'
      : 'Check NATS_URL, NATS_USER, NATS_PASSWORD, NATS_CREDS and NATS_TLS_CA, the network, and that nats-server runs.'
  return broken(check, reason, advice)
}

function judgeServer(connection: NatsConnection): Diagnosis[] {
  const { version = '', max_payload: payloadBytes = 0 } = connection.info ?? {}
  const needed = `Vaak needs nats-server ${minimumVersion} or later.`
  return [
    healthy(check, `Connected to ${connection.getServer()}.`),
    isRecentEnough(version)
      ? healthy('version.broker', `The broker is nats-server ${version}.`)
      : broken('version.broker', `The broker is nats-server ${version}.`, `${needed} Upgrade it.`),
    ...(payloadBytes < payloadNeededBytes
      ? [
          broken(
            'broker.payload',
            `It takes messages of ${payloadBytes} bytes at most.`,
            `Set max_payload to ${payloadNeededBytes} or more.`,
          ),
        ]
      : []),
  ]
}

async function lookAtJetStream(config: Config, connection: NatsConnection, log: Log): Promise<Diagnosis[]> {
  let manager: JetStreamManager
  try {
    manager = await jetstreamManager(connection, patience)
  } catch (error) {
    return [
      broken(
        'broker.jetstream',
        `JetStream does not answer: ${errorInWords(error)}`,
        'Turn it on: "jetstream { store_dir: … , sync_interval: always }" in the settings of nats-server, and in the account of our user.',
      ),
    ]
  }
  const role = brokerRoles.find((one) => inboxPrefixOf(one) === config.natsInboxPrefix)
  const client = await clientOn(connection, { isAway: () => false, ...(role && { role }) })
  const room = judgeStoreRoom(await manager.getAccountInfo())
  const streams = await lookAtStreams(config, { manager, role })
  return [room, ...streams.diagnoses, ...(streams.areThere ? await lookAtUse(config, { client, role, log }) : [])]
}

/** Against what this version and its settings expect; nothing is made. */
async function lookAtStreams(
  config: Config,
  { manager, role }: { readonly manager: JetStreamManager; readonly role: BrokerRole | undefined },
): Promise<{ readonly diagnoses: Diagnosis[]; readonly areThere: boolean }> {
  const whole = plannedTopology(config)
  const plan = role ? topologyOf(role, whole) : whole
  const { missing, changes, impossible } = await planMigration(manager, plan)
  if (missing.length >= plan.streams.length + plan.consumers.length)
    return {
      areThere: false,
      diagnoses: [
        doubtful(
          'broker.streams',
          'Nothing of Vaak is in this broker.',
          'Nothing, before the first start: it makes the streams. Later: is NATS_URL that of the services?',
        ),
      ],
    }
  const different = changes.length + impossible.length
  const diagnoses = [
    different + missing.length === 0
      ? healthy('broker.streams', `All ${plan.streams.length} streams are as this version expects.`)
      : broken(
          'broker.streams',
          `${different} settings of streams differ from what this version expects, ${missing.length} streams or consumers are missing.`,
          '"vaak migrate" shows what, and changes it with --apply.',
        ),
  ]
  const infos: StreamInfo[] = []
  for (const { name } of plan.streams) if (!missing.includes(name)) infos.push(await manager.streams.info(name))
  return { areThere: !missing.includes(`KV_${buckets.health}`), diagnoses: [...diagnoses, judgeCopies(config, infos)] }
}

/** As the services use it: something is written, and removed. */
async function lookAtUse(
  config: Config,
  { client, role, log }: { readonly client: BrokerClient; readonly role: BrokerRole | undefined; readonly log: Log },
): Promise<Diagnosis[]> {
  const brokerNow = await openBrokerClock({ jsm: client.jsm, stream: `KV_${buckets.health}`, clock: systemClock })
  const clock = { check: 'clock.broker', whose: 'The clock of the broker', theirsMs: await brokerNow() }
  return [
    await lookAtWriting(client),
    judgeClock({ ...clock, oursMs: systemClock.nowMs(), toleranceSeconds: config.jwtClockToleranceSeconds }),
    // realtime servers store nothing, and may not look
    ...(role === 'realtime' ? [] : [await lookAtMark(config, client, log)]),
  ]
}

async function lookAtWriting(client: BrokerClient): Promise<Diagnosis> {
  const writer = `doctor-${randomUUID()}`
  try {
    await brokerCheck(client, writer)()
    return healthy('broker.writes', 'It stores what it is given.')
  } catch (error) {
    return broken(
      'broker.writes',
      errorInWords(error),
      'Make room on its disk and start it anew, or bring its nodes back.',
    )
  } finally {
    const records = await openRecords(client, buckets.health)
    await records.erase(writer).catch(() => undefined) // what could not be written is not there, and what stays goes in a minute
  }
}

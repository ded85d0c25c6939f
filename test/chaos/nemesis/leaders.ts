import { connect } from 'nats'

import {
  levelConsumer,
  levelCount,
  shardConsumer,
  shardCount,
  settledStream,
} from '../../../infra/nats/topology/queue-names.ts'
import { buckets } from '../../../infra/nats/topology/topology.ts'
import type { BrokerNode } from '../rig/broker.ts'
import { queueNames } from '../rig/observer.ts'
import type { Begun, NemesisScene } from './scene.ts'

const answerWithinMs = 2000
const streamsAtOnce = 4

export async function leaderOfQueue({ observer, rig, random }: NemesisScene): Promise<BrokerNode> {
  const stream = await observer.jsm.streams.info(random.pick(queueNames)).catch(() => undefined)
  const leader = rig.broker.nodes.find(({ name }) => name === stream?.cluster?.leader)
  // in the middle of an election, or while another fault keeps the answer away, any of them may be the next
  return leader ?? random.pick(rig.broker.nodes)
}

/** Some streams, some of their consumers, and the cluster itself are led by another node from now on. */
export async function changeLeaders({ observer, rig, random }: NemesisScene): Promise<Begun> {
  const { connection } = observer
  const streams = [...queueNames, ...Object.values(buckets).map((bucket) => `KV_${bucket}`)]
  const asked: string[] = []
  const ask = async (subject: string): Promise<void> => {
    asked.push(subject)
    // who has no leader now cannot be asked to change it
    await connection.request(`$JS.API.${subject}`, '', { timeout: answerWithinMs }).catch(() => undefined)
  }
  for (let times = 0; times < streamsAtOnce; times += 1) await ask(`STREAM.LEADER.STEPDOWN.${random.pick(streams)}`)
  const stream = random.pick(queueNames)
  const consumer =
    stream === settledStream.name ? shardConsumer(random.below(shardCount)) : levelConsumer(random.below(levelCount))
  await ask(`CONSUMER.LEADER.STEPDOWN.${stream}.${consumer}`)
  const { url, system } = rig.broker
  const administrator = await connect({ servers: url.split(','), user: system.user, pass: system.pass })
  try {
    await administrator.request('$JS.API.META.LEADER.STEPDOWN', '', { timeout: answerWithinMs }).catch(() => undefined)
  } finally {
    await administrator.close()
  }
  return { what: `${asked.length} leaders and that of the cluster`, end: () => undefined }
}

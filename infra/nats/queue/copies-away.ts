import type { JetStreamManager, PeerInfo } from '@nats-io/jetstream'

import { chunkQueue, fileQueue, inquiryQueue, webhookQueue } from './work-kinds.ts'

const queues = [fileQueue, chunkQueue, webhookQueue, inquiryQueue]
/** Who lives answers who leads each second. The broker itself waits for minutes before it calls a server offline. */
const silentNanos = 10e9

/** Of the queue that misses most, how many copies are with servers that nobody hears of; 0 for a broker of one server. */
export async function copiesAway(jsm: JetStreamManager): Promise<number> {
  const infos = await Promise.all(queues.map(({ primary }) => jsm.streams.info(primary.name)))
  return Math.max(...infos.map(({ cluster }) => cluster?.replicas?.filter(isAway).length ?? 0))
}

/** One that is a little behind is there. Who leads since it died has never heard of it: that is told as 0. */
function isAway({ current, offline, active }: Pick<PeerInfo, 'current' | 'offline' | 'active'>): boolean {
  return offline || (!current && (active === 0 || active > silentNanos))
}

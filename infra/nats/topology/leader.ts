import type { StreamInfo } from '@nats-io/jetstream'

import { nanosPerMs } from '../connection/nanos.ts'

/** Who has just been elected answers before all is in its store that the one before has answered for. */
const settlesWithinMs = 1_500
/** Several heartbeats, and less than anybody waits before they elect somebody else. */
const heardWithinMs = 3_000

/**
 * Whether who answers as leader of a stream surely is, and knows all that was stored: it has led for a while, and most of the others
 * were heard of a moment ago. While nobody leads any of them answers, and one that is cut off, or was frozen, takes a while to
 * notice that it was replaced.
 */
export function isEstablished({ cluster, ts = '' }: Pick<StreamInfo, 'cluster' | 'ts'>): boolean {
  const { leader, leader_since: since = '', replicas: others = [] } = cluster ?? {}
  const heard = others.filter(({ active, offline }) => !offline && active <= heardWithinMs * nanosPerMs)
  const isMost = heard.length + 1 > (others.length + 1) / 2
  return leader !== undefined && isMost && Date.parse(ts) - Date.parse(since) >= settlesWithinMs
}

import { setTimeout as pause } from 'node:timers/promises'

import type { JetStreamClient } from '@nats-io/jetstream'
import { headers } from 'nats'
import type { MsgHdrs } from 'nats'

import { isBrokerAway } from '../../../actors/failure.ts'
import type { Tracer } from '../../../actors/trace/ports.ts'
import { ask } from '../connection/ask.ts'
import { causeHeader } from './delivery.ts'
import type { WriteWatch } from '../connection/write-watch.ts'

interface Publication {
  readonly stream: string
  readonly subject: string
  readonly text: string
  /** The same within two minutes is stored once. */
  readonly id: string
  /** By the broker's clock; it goes to this subject then. */
  readonly later?: { readonly at: Date; readonly target: string }
}

export interface PublishClient {
  readonly js: JetStreamClient
  /** From `watchAway`; without it nobody is told early. */
  readonly isAway?: () => boolean
  /** Told of every write; without it nobody is. */
  readonly writes?: WriteWatch
  /** Told of what came from what; without it nobody is. */
  readonly tracer?: Tracer | undefined
}

const attemptsMax = 3
const waitMs = 200

/** Durable when it resolves. Whether an unanswered one was stored is unknown: it is sent again under the same id. */
export async function publish(client: PublishClient, publication: Publication): Promise<void> {
  const { stream, subject, id, later } = publication
  const isAway = client.isAway ?? (() => false)
  const cause = client.tracer?.cause()
  const options = {
    msgID: id,
    ...(cause !== undefined && { headers: causedBy(cause) }),
    expect: { streamName: stream },
    ...(later && { schedule: { specification: later.at, target: later.target } }),
  }
  const send = () => ask(isAway, () => client.js.publish(subject, publication.text, options))
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (client.writes ? client.writes.watch(stream, send) : send())
      return
    } catch (error) {
      if (!isBrokerAway(error) || attempt >= attemptsMax || isAway()) throw error
    }
    await pause(waitMs + Math.random() * waitMs)
  }
}

function causedBy(cause: string): MsgHdrs {
  const all = headers()
  all.set(causeHeader, cause)
  return all
}

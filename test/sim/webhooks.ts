import { acceptedBatch } from '../../actors/batch/state.ts'
import { retryable, terminal } from '../../actors/failure.ts'
import { isBatchId } from '../../actors/ids.ts'
import type { WorkQueue } from '../../actors/ports.ts'
import { runWebhook } from '../../actors/webhook/call.ts'
import type { WebhookCaller } from '../../actors/webhook/ports.ts'
import type { WebhookWork } from '../../actors/webhook/protocol.ts'
import type { Webhook } from '../../actors/webhook/state.ts'
import type { Domain } from './domain-ports.ts'
import type { Platform } from './platform-parts.ts'
import { callees } from './scenario.ts'
import { settle } from './settle.ts'
import type { StoreChange } from './stores.ts'
import type { Process } from './world.ts'

const deadlineMs = 10_000
const place = 'https://example.org/'

export function webhookQueueFor({ world, webhookQueue }: Platform, process: Process): WorkQueue<WebhookWork> {
  return {
    enqueue: (work, { id, delayMs }) =>
      world.call(process, { service: 'broker', what: 'notices.enqueue', key: id }, () => {
        webhookQueue.publish(work, { id, delayMs })
      }),
    outstanding: ({ batchId }) =>
      world.call(process, { service: 'broker', what: 'notices.outstanding', key: batchId }, () =>
        [...webhookQueue.messages].map(({ body }) => body).filter((work) => work.batchId === batchId),
      ),
  }
}

/** Somebody's server, which is called when a batch ends. */
export function addressOf(callee: (typeof callees)[number]): string {
  return place + callee
}

/** A worker's hand for the calls that batches owe. */
export function takeWebhooks(platform: Platform, { process, batch }: Domain): void {
  const webhooks = platform.webhooks.portFor(process)
  const ports = { webhooks, caller: callerFor(platform, process), ...batch }
  const options = { retry: platform.scenario.limits.retry }
  const never = (): Promise<never> => Promise.reject(new Error('a call was set aside'))
  const settling = { platform, process, giveUp: never }
  platform.webhookQueue.consume({
    process,
    free: 1,
    most: 1,
    deadlineMs,
    handle: async (ongoing) => {
      for (const hand of ongoing) await settle(settling, [hand], () => runWebhook({ ports, options }, hand))
    },
  })
}

export function callerFor({ world, calls }: Platform, process: Process): WebhookCaller {
  return {
    async call({ url, id, signal }) {
      await world.sleep(process, world.random.between(5, 200))
      const callee = callees.find((one) => addressOf(one) === url)
      if (callee === 'hanging') await world.sleep(process, 2 * deadlineMs)
      signal.throwIfAborted()
      calls.set(id, (calls.get(id) ?? 0) + 1)
      if (callee === 'gone') throw terminal('remote_refused', 'The server of this URL says that it is gone.')
      if (callee === 'flaky' && world.random.chance(0.5))
        throw retryable('remote_unavailable', 'The server of this URL did not take the call.')
      return { status: 204 }
    },
  }
}

/** What must hold at every change of what is known of a call. Nobody here asks for it again. */
export function checkWebhook(platform: Platform, [key, before, after]: StoreChange<Webhook>): void {
  const complain = (sentence: string): void => platform.world.violate(`${sentence} (${key})`)
  const { retriesMax } = platform.scenario.limits.retry
  if (!after) {
    const isDeleted = isBatchId(key) && platform.promises.doomedBatches.has(key)
    return isDeleted ? undefined : complain('a call was forgotten')
  }
  if (after.round !== 1) complain('a call that nobody asked for')
  if (after.attempts.length > retriesMax + 1) complain('I8: more calls than are allowed')
  if (before && before.standing !== 'waiting') complain('I2: what became of a call changed')
  if (before && after.attempts.length !== before.attempts.length + 1)
    complain('a call was counted twice, or not at all')
}

/** Whoever was to be called was, as often as was needed. */
export function checkCalls({ batches, webhooks, calls, world }: Platform): string[] {
  // at least once (I5): a message that comes again while somebody calls is called twice, under the same id; one that is lost the sweeper
  // sends again, also when who had it has called and could not write that down
  const comesAgain = ['crash', 'pause', 'delivered twice', 'redelivery', 'forgotten delivery', 'lost message']
  const isFair = !comesAgain.some((fault) => world.counts.has(fault))
  return batches.keys().flatMap((key) => {
    const batch = acceptedBatch(batches.get(key))
    if (batch?.callbackUrl === undefined || batch.finishedAtMs === undefined) return []
    const webhook = webhooks.get(key)
    const times = calls.get(`batch_${key}`) ?? 0
    if (webhook === undefined || webhook.standing === 'waiting') return [`the end of ${key} was told to nobody`]
    const isTold = webhook.attempts.some(({ status }) => status !== undefined)
    if (isTold !== (webhook.standing === 'delivered')) return [`the call of ${key} is ${webhook.standing}`]
    if (isTold && times === 0) return [`nobody was called for ${key}`]
    return isFair && times > webhook.attempts.length ? [`${key} was told ${times} times`] : []
  })
}

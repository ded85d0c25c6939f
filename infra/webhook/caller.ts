import { createHmac } from 'node:crypto'

import { terminal } from '../../actors/failure.ts'
import type { Clock } from '../../actors/ports.ts'
import type { WebhookCaller } from '../../actors/webhook/ports.ts'
import { refusedByServer, unavailable } from '../remote/classify.ts'
import { hop } from '../remote/follow.ts'
import type { HopRoute } from '../remote/follow.ts'
import { systemResolve } from '../remote/resolve.ts'
import { judgeUrl } from '../remote/url.ts'
import type { WebhookSecrets } from './secrets.ts'

interface WebhookCallerOptions extends Omit<HopRoute, 'resolve'>, Partial<Pick<HopRoute, 'resolve'>> {
  readonly secrets: WebhookSecrets
  readonly clock: Clock
}

const gone = 410

/**
 * Calls addresses that users gave. Nothing of theirs is trusted: the address is judged again, resolved and pinned, no redirect is
 * followed, and of the answer only the status is read. Signed as the Standard Webhooks format has it.
 */
export function webhookCaller(options: WebhookCallerOptions): WebhookCaller {
  const route: HopRoute = { ...options, resolve: options.resolve ?? systemResolve }
  return {
    async call({ url: text, owner, id, body, headers: own, signal }) {
      const { url, refusal } = judgeUrl(text, options.policy)
      if (refusal !== undefined) throw refusedByServer(refusal)
      const timestamp = String(Math.floor(options.clock.nowMs() / 1000))
      const signature = createHmac('sha256', await options.secrets.of(owner))
        .update(`${id}.${timestamp}.${body}`)
        .digest('base64')
      const headers = {
        ...own,
        'content-type': 'application/json',
        accept: '*/*',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      }
      const answer = await hop({ url, headers, signal, body }, route)
      answer.destroy()
      return { status: taken(answer.statusCode ?? 0) }
    },
  }
}

function taken(status: number): number {
  if (status >= 200 && status < 300) return status
  if (status === gone) throw terminal('remote_refused', 'The server of this URL says that it is gone (status 410).')
  throw unavailable(`The server of this URL did not take the call (status ${status}).`)
}

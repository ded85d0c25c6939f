import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'

import { refusedByServer, unavailable } from './classify.ts'
import { untilAborted } from '../timing/until-aborted.ts'
import { haltAfter } from './halt.ts'
import type { RemoteLimits } from './limits.ts'
import { sendRequest } from './request.ts'
import { permittedAddresses } from './resolve.ts'
import type { Resolve } from './resolve.ts'
import { hostOf, judgeUrl } from './url.ts'
import type { UrlPolicy } from './url.ts'

export interface FetchRoute extends HopRoute {
  readonly limits: RemoteLimits
}

/** What one connection needs. */
export interface HopRoute {
  readonly policy: UrlPolicy
  readonly limits: Pick<RemoteLimits, 'patienceMs'>
  readonly resolve: Resolve
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string | undefined
}

interface Question {
  readonly url: URL
  readonly headers: OutgoingHttpHeaders
  readonly signal: AbortSignal
  /** Makes it a POST. */
  readonly body?: string
}

const redirects = new Set([301, 302, 303, 307, 308])

interface FollowedQuestion extends Question {
  /** For the server of the URL alone. */
  readonly secretHeaders: OutgoingHttpHeaders
}

/**
 * The first answer that is no redirect. Every hop is judged, resolved and pinned anew; nothing is carried along. What is secret is sent as
 * long as the way has not left the scheme, host and port that it was meant for: who leads away may be anybody, also when he leads back.
 */
export async function followRedirects(question: FollowedQuestion, route: FetchRoute): Promise<IncomingMessage> {
  const { maxRedirects } = route.limits
  const { secretHeaders, ...asked } = question
  let { url, headers } = { url: asked.url, headers: { ...secretHeaders, ...asked.headers } }
  for (let hops = 0; ; hops += 1) {
    const answer = await hop({ ...asked, url, headers }, route)
    if (!redirects.has(answer.statusCode ?? 0)) return answer
    answer.destroy()
    if (hops === maxRedirects) throw refusedByServer(`The URL leads through more than ${maxRedirects} redirects.`)
    const next = nextUrl(url, answer.headers.location, route.policy)
    if (next.origin !== url.origin) headers = asked.headers
    url = next
  }
}

/** One connection to an address that was judged, resolved and pinned for it. */
export async function hop({ url, headers, signal, body }: Question, route: HopRoute): Promise<IncomingMessage> {
  const { patienceMs } = route.limits
  const late = (): Error => unavailable(`The server of this URL did not answer within ${patienceMs / 1000} seconds.`)
  const halt = haltAfter({ allowedMs: () => patienceMs, late }, signal)
  try {
    const looking = () => permittedAddresses(hostOf(url), route.policy, route.resolve)
    const addresses = await untilAborted(halt.signal, looking)
    return await sendRequest({ url, addresses, headers, signal: halt.signal, ca: route.ca, body })
  } finally {
    halt.close()
  }
}

function nextUrl(from: URL, location: string | undefined, policy: UrlPolicy): URL {
  if (location === undefined || !URL.canParse(location, from.href))
    throw refusedByServer('The URL leads to a redirect that says nowhere to go.')
  const { url, refusal } = judgeUrl(new URL(location, from).href, policy)
  if (refusal !== undefined) throw refusedByServer(`The URL leads to a redirect that is not followed: ${refusal}`)
  if (from.protocol === 'https:' && url.protocol === 'http:')
    throw refusedByServer('The URL leads from https to http, which is not followed. Use the address that it leads to.')
  return url
}

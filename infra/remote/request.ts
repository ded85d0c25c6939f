import { request as requestHttp } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

import { classify } from './classify.ts'
import type { Resolved } from './resolve.ts'

/** One GET or, with a body, POST. `url` makes Host, SNI and the name in the certificate; `addresses` say where the connection goes. */
interface RemoteRequest {
  readonly url: URL
  readonly addresses: readonly Resolved[]
  readonly headers: OutgoingHttpHeaders
  readonly signal: AbortSignal
  readonly ca?: string | undefined
  readonly body?: string | undefined
}

const maxHeaderBytes = 16 * 1024

/** Resolves with the head of the answer; whoever gets it reads the body or destroys it. */
export function sendRequest(input: RemoteRequest): Promise<IncomingMessage> {
  const { signal } = input
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const start = input.url.protocol === 'https:' ? requestHttps : requestHttp
    const request = start(input.url, {
      method: input.body === undefined ? 'GET' : 'POST',
      headers: {
        'user-agent': 'vaak',
        accept: 'audio/*, video/*;q=0.9, */*;q=0.5',
        // a body that grows when it is unpacked has no size that could be trusted
        'accept-encoding': 'identity',
        ...input.headers,
      },
      // a connection of its own, since a kept one would not have been checked for this request
      agent: false,
      lookup: pinnedTo(input.addresses),
      maxHeaderSize: maxHeaderBytes,
      insecureHTTPParser: false,
      rejectUnauthorized: true,
      ...(input.ca !== undefined && { ca: input.ca }),
    })
    const halt = (): void => void request.destroy()
    signal.addEventListener('abort', halt)
    request.once('response', (response) => {
      signal.removeEventListener('abort', halt)
      resolve(response)
    })
    // stays when the answer is there: a connection may break at any time, and its reader is told by the answer itself
    request.on('error', (error) => {
      signal.removeEventListener('abort', halt)
      // as: every signal here is aborted with an Error, or by its owner with what he wants to get back
      reject((signal.aborted ? signal.reason : classify(error)) as Error)
    })
    request.end(input.body)
  })
}

/** The checked addresses and no others, however often the name would be answered differently by now. */
function pinnedTo(addresses: readonly Resolved[]): LookupFunction {
  return (_name, options, done) => {
    if (options.all === true) return done(null, [...addresses])
    const [first] = addresses
    if (first) done(null, first.address, first.family)
    else done(new Error('no address was pinned'), '', 0)
  }
}

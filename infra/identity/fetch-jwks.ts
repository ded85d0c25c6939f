import { isIPv4 } from 'node:net'

import { createLocalJWKSet, errors } from 'jose'
import type { LocalJWKSet } from 'jose'
import { z } from 'zod'

interface JwksEndpoint {
  readonly url: URL
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** `trouble` is for the operator's log: it names the endpoint's ways, which are no caller's business. */
type JwksAnswer = { readonly keys: LocalJWKSet } | { readonly trouble: string }

/** Loose, since an issuer may publish keys of kinds we have never heard of beside the ones we use (RFC 7517, 5). */
const jwksSchema = z.looseObject({ keys: z.array(z.looseObject({})).min(1) })

/** One request for the issuer's keys, which ends within `timeoutMs` and never holds more than `maxBytes`. */
export async function fetchJwks(endpoint: JwksEndpoint): Promise<JwksAnswer> {
  try {
    const response = await endpoint.fetch(endpoint.url, {
      method: 'GET',
      // a redirect would let whoever answers choose where keys come from
      redirect: 'manual',
      headers: { accept: 'application/jwk-set+json, application/json' },
      signal: AbortSignal.timeout(endpoint.timeoutMs),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      return { trouble: `the endpoint answered with status ${response.status}, and only 200 is accepted` }
    }
    const text = await readAtMost(endpoint.maxBytes, response)
    if (text === undefined) return { trouble: `the answer is larger than ${endpoint.maxBytes} bytes` }
    return { keys: keySetIn(text) }
  } catch (error) {
    return { trouble: classify(error, endpoint) }
  }
}

export function keySetIn(text: string): LocalJWKSet {
  return createLocalJWKSet(jwksSchema.parse(JSON.parse(text)))
}

/** Keys decide who is who, so over a network they travel encrypted. */
export function jwksUrl(text: string, options: { readonly allowInsecure: boolean }): URL {
  if (!URL.canParse(text)) throw new Error("JWKS_URL is not a URL. Set it to the https address of your issuer's keys.")
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new Error('JWKS_URL contains a user name or password. The keys are public: leave them out.')
  const mayBePlain = options.allowInsecure || isLoopback(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain))
    throw new Error(`JWKS_URL begins with ${url.protocol} and must be https (http only on this machine itself).`)
  return url
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
}

/** Counted while it streams and after decompression, so a huge answer is dropped at the limit whatever it announced. */
async function readAtMost(maxBytes: number, response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function classify(error: unknown, endpoint: JwksEndpoint): string {
  if (error instanceof SyntaxError) return 'the answer is not JSON'
  if (error instanceof z.ZodError || error instanceof errors.JWKSInvalid) return 'the answer is not a set of keys'
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `the endpoint took longer than ${endpoint.timeoutMs} ms`
  // fetch hides what the network said in the cause
  const reason: unknown = error instanceof Error ? (error.cause ?? error) : error
  return `the endpoint cannot be reached: ${String(reason)}`
}

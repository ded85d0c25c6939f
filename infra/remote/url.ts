import { isAddress, mayBeReached } from './address.ts'
import type { AddressRange } from './address.ts'

/** Which URLs this service would ever try, by the operator's choice. */
export interface UrlPolicy {
  /** Whether `http:` is as good as `https:`. */
  readonly http: boolean
  readonly ports: readonly number[]
  /** Networks that are reached though they are not public. */
  readonly allowPrivate: readonly AddressRange[]
}

type UrlVerdict =
  | { readonly url: URL; readonly refusal?: undefined }
  /** A sentence that does not repeat the URL, which may be a secret. */
  | { readonly refusal: string; readonly url?: undefined }

/** Kept in a record of the broker, beside those of the other sources. */
const charactersMax = 4_096
const defaultPorts = new Map([
  ['https:', 443],
  ['http:', 80],
])

/**
 * Whether a URL may be tried, by its text alone: where a name leads is known only when it is resolved. `URL` turns every
 * notation of an address into one, and what is judged here is what is connected to.
 */
export function judgeUrl(text: string, policy: UrlPolicy): UrlVerdict {
  if (text.length > charactersMax) return refuse(`The URL has more than ${charactersMax} characters.`)
  if (/\p{Cc}/u.test(text)) return refuse('The URL has line breaks or other control characters in it.')
  if (!URL.canParse(text)) return refuse('This is not a URL: it looks like https://host/folder/call.mp3.')
  const url = new URL(text)
  const defaultPort = defaultPorts.get(url.protocol)
  if (defaultPort === undefined) return refuse('Only URLs that begin with https:// or http:// are fetched.')
  if (url.protocol === 'http:' && !policy.http)
    return refuse('Only URLs that begin with https:// are fetched; http:// is turned off on this server.')
  if (url.username !== '' || url.password !== '')
    return refuse('The URL holds a user name or password. Use one that needs neither, such as a signed URL.')
  if (!policy.ports.includes(url.port === '' ? defaultPort : Number(url.port)))
    return refuse(`The port of the URL is not one that is fetched from: ${policy.ports.join(', ')}.`)
  return judgeHost(text, url, policy)
}

function judgeHost(text: string, url: URL, policy: UrlPolicy): UrlVerdict {
  const host = hostOf(url)
  // decimal, octal, hexadecimal and short forms are written to be misread
  if (isAddress(host) && !host.includes(':') && !text.includes(host))
    return refuse('The address in the URL is not written in the usual way, as four decimal numbers.')
  const address = /(?:^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : host
  if ((isAddress(host) || address !== host) && !mayBeReached(address, policy.allowPrivate))
    return refuse(
      'The address in the URL is not public. Networks of one’s own are fetched from only when REMOTE_ALLOW_PRIVATE lists them.',
    )
  return { url }
}

/** A name, or an address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replaceAll(/^\[|\]$/g, '')
}

function refuse(refusal: string): UrlVerdict {
  return { refusal }
}

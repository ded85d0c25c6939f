import { createHmac, timingSafeEqual } from 'node:crypto'

import type { UpgradeRequest } from '../connect/request.ts'

interface SignatureOptions {
  readonly authToken: string
  /** Where Twilio finds this server, without a slash at its end; empty: at the host that the request names. */
  readonly publicUrl: string
}

/** Whether Twilio asks: it signs the address that it connects to with the token of the account. */
export function isSignedByTwilio(
  signature: string,
  request: Pick<UpgradeRequest, 'host' | 'path' | 'query'>,
  { authToken, publicUrl }: SignatureOptions,
): boolean {
  const given = Buffer.from(signature, 'base64')
  return addressesOf(request, publicUrl).some((address) => {
    const expected = createHmac('sha1', authToken).update(address).digest()
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** As it may have been written: with the usual port or without, and with a slash at its end or without. */
function addressesOf({ host, path, query }: Pick<UpgradeRequest, 'host' | 'path' | 'query'>, publicUrl: string) {
  const base = publicUrl === '' ? `wss://${host}` : publicUrl.replace(/^http/, 'ws')
  const bases = [base, /:\d+$/.test(base) ? base.replace(/:443$/, '') : `${base}:443`]
  const paths = [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]
  const search = query === '' ? '' : `?${query}`
  return bases.flatMap((one) => paths.map((other) => `${one}${other}${search}`))
}

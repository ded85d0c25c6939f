/** Which web pages may open sessions. */
export interface OriginPolicy {
  /** `*` or origins, as browsers write them. */
  readonly allowed: readonly string[]
  /** Pages of this machine may, while nobody else can reach the server anyway. */
  readonly allowLoopback: boolean
}

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Browsers always send an origin, and a page cannot choose it; programs send none. Nothing here authenticates: a page
 * needs a key or a secret as well.
 */
export function isAllowedOrigin(origin: string, host: string, policy: OriginPolicy): boolean {
  if (origin === '' || policy.allowed.includes('*')) return true
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (!url || url.origin === 'null') return false
  if (policy.allowed.includes(url.origin)) return true
  // the page came from this server itself
  if (url.host === host && /^https?:$/.test(url.protocol)) return true
  return policy.allowLoopback && loopbackHost.test(url.hostname)
}

import { say } from './say.js'

/** Who is using the page: a token, kept as long as the tab is open and sent to nobody but this server. */

const place = 'vaak.token'
const fragment = /^#token=([^&]+)$/

export function token() {
  return sessionStorage.getItem(place) ?? undefined
}

export function remember(given) {
  sessionStorage.setItem(place, given)
}

export function forget() {
  sessionStorage.removeItem(place)
}

/** A link may bring a token behind `#`, which browsers send to no server; it does not stay in the address bar. */
export function takeFromAddress() {
  const given = fragment.exec(location.hash)?.[1]
  if (given === undefined) return
  history.replaceState(null, '', '#/')
  remember(decodeURIComponent(given))
}

/** What people paste often has more around it than the token. */
export function tokenIn(text) {
  const trimmed = text.trim().replace(/^["']|["']$/g, '')
  return (fragment.exec(trimmed.slice(trimmed.indexOf('#')))?.[1] ?? trimmed).replace(/^bearer\s+/i, '')
}

/** The name in a token, to be shown and for nothing else: only the server knows whether it is true. */
export function nameIn(given) {
  try {
    const [, payload = ''] = given.split('.')
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    const { sub } = JSON.parse(new TextDecoder().decode(bytes))
    return typeof sub === 'string' ? sub : say('frame.apiKey')
  } catch {
    return say('frame.apiKey')
  }
}

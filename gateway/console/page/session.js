import { say } from './say.js'

/**
 * Who is using the page: a token, sent to nobody but this server. It is kept as long as the tab is open, or by choice in this browser; what an issuer
 * gave beside it, to renew it and to sign out, is never kept longer than the tab.
 */

const place = 'vaak.token'
const grantPlace = 'vaak.grant'
const fragment = /^#token=([^&]+)$/

export function token() {
  return sessionStorage.getItem(place) ?? localStorage.getItem(place) ?? undefined
}

export function remember(given) {
  sessionStorage.setItem(place, given)
}

/** Also for other tabs of this browser, until somebody signs out. */
export function keepInBrowser() {
  localStorage.setItem(place, token())
  sessionStorage.removeItem(place)
}

export function forget() {
  sessionStorage.removeItem(place)
  sessionStorage.removeItem(grantPlace)
  localStorage.removeItem(place)
}

/** Calls back when another tab signs in or out with a token that is kept in the browser. */
export function onOtherTab(act) {
  window.addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea === localStorage && (key === place || key === null)) act()
  })
}

/** What the issuer gave at sign-in, besides the token: `{ refreshToken?, idToken, untilMs? }`. */
export function grant() {
  const kept = sessionStorage.getItem(grantPlace)
  return kept === null ? undefined : JSON.parse(kept)
}

export function rememberGrant(given) {
  sessionStorage.setItem(grantPlace, JSON.stringify(given))
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
  const { sub } = claimsIn(given)
  return typeof sub === 'string' ? sub : say('frame.apiKey')
}

/** What a token says of itself, unproven; nothing where it is no JWT. */
export function claimsIn(given) {
  try {
    const [, payload = ''] = given.split('.')
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    return Object(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return {}
  }
}

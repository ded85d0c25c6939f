/** Who talks: a token, kept as long as the tab is open, reloads included, and sent to nobody but this server. */
const place = 'vaak.token'

export function keptToken() {
  return sessionStorage.getItem(place) ?? ''
}

export function keepToken(token) {
  sessionStorage.setItem(place, token)
}

/** A link may bring one behind the #, which browsers do not send to servers; it does not stay in the address, nor does what else came along. */
export function takeTokenFromAddress() {
  if (location.hash.length > 1) keepToken(decodeURIComponent(location.hash.slice(1)))
  if (location.hash !== '' || location.search !== '') history.replaceState(null, '', location.pathname)
}

import { askForToken, describedIssuer, postForm } from './issuer.js'
import { say } from './say.js'
import { claimsIn, forget, grant, remember, rememberGrant } from './session.js'

/** Signing in by the authorisation code flow with PKCE: to the issuer and back, in this tab. */

const begunPlace = 'vaak.signing-in'
const begunForMs = 15 * 60_000
const clockToleranceMs = 60_000
const placeForm = /^#\/[^\s]*$/
const reasonMax = 200

/** Leaves the page. `place` is where its reader comes back to, behind `#`. */
export async function beginSignIn(place) {
  if (!crypto.subtle) throw new Error(say('signIn.needsTls'))
  const issuer = await describedIssuer()
  const begun = { state: random(), nonce: random(), verifier: random(), place, atMs: Date.now() }
  sessionStorage.setItem(begunPlace, JSON.stringify(begun))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier))
  location.assign(
    withParameters(issuer.authorization, {
      ...issuer.parameters,
      response_type: 'code',
      client_id: issuer.client_id,
      redirect_uri: ownAddress(),
      scope: issuer.scope,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: base64url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
    }),
  )
}

/**
 * Takes what the issuer sent back out of the address, and has a token for it. Answers with why not, where it is not so. Each sign-in that
 * was begun is good for one answer.
 * @returns {Promise<string | undefined>}
 */
export async function takeAnswer() {
  const answer = new URLSearchParams(location.search)
  if (!answer.has('state') || !(answer.has('code') || answer.has('error'))) return undefined
  const begun = JSON.parse(sessionStorage.getItem(begunPlace) ?? 'null')
  sessionStorage.removeItem(begunPlace)
  // a place of ours, and only of this page: nothing in the address says where to go
  history.replaceState(null, '', `/${placeForm.test(begun?.place) ? begun.place : '#/'}`)
  if (!begun || begun.state !== answer.get('state') || Date.now() - begun.atMs > begunForMs)
    return say('signIn.notBegun')
  try {
    return await finish(answer, begun)
  } catch (error) {
    return error.message
  }
}

async function finish(answer, begun) {
  const issuer = await describedIssuer()
  const iss = answer.get('iss')
  if (iss === null ? issuer.namesItself : iss !== issuer.issuer) return say('signIn.notForYou')
  if (answer.has('error')) return refusalIn(answer)
  const given = await askForToken(issuer, {
    grant_type: 'authorization_code',
    code: answer.get('code'),
    redirect_uri: ownAddress(),
    code_verifier: begun.verifier,
  })
  const claims = claimsIn(given.id_token ?? '')
  if (claims.nonce !== begun.nonce || !isFor(claims, issuer)) return say('signIn.notForYou')
  forget()
  keep(given, { idToken: given.id_token })
  return undefined
}

/** It came from the issuer itself over TLS, so that its signature proves nothing more (OpenID Connect Core, 3.1.3.7). */
function isFor({ iss, aud, azp, exp }, issuer) {
  const audiences = [aud].flat()
  return (
    iss === issuer.issuer &&
    audiences.includes(issuer.client_id) &&
    (azp === undefined ? audiences.length === 1 : azp === issuer.client_id) &&
    typeof exp === 'number' &&
    exp * 1000 + clockToleranceMs > Date.now()
  )
}

function refusalIn(answer) {
  const said = answer.get('error_description') ?? answer.get('error')
  return say('signIn.refused', { reason: said.slice(0, reasonMax) })
}

let renewing

/** Another token for the refresh token, once for all who ask meanwhile. False where there is none to be had. */
export function renew() {
  renewing ??= renewOnce()
    .catch(() => false)
    .finally(() => {
      renewing = undefined
    })
  return renewing
}

async function renewOnce() {
  const before = grant()
  if (before?.refreshToken === undefined) return false
  const issuer = await describedIssuer()
  const fields = { grant_type: 'refresh_token', refresh_token: before.refreshToken }
  const given = await askForToken(issuer, fields).catch((error) => {
    // it is good for nothing any more, so nobody asks again
    if (error.code === 'invalid_grant') rememberGrant({ idToken: before.idToken })
    throw error
  })
  // somebody signed out, or in anew, while the issuer was asked
  if (grant()?.refreshToken !== before.refreshToken) return false
  const idToken = given.id_token ?? before.idToken
  if (claimsIn(idToken).sub !== claimsIn(before.idToken).sub) return false
  keep(given, { refreshToken: before.refreshToken, idToken })
  return true
}

function keep({ access_token: accessToken, refresh_token: refreshToken, expires_in: seconds }, before) {
  remember(accessToken)
  rememberGrant({
    ...before,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(seconds > 0 && { forMs: seconds * 1000, untilMs: Date.now() + seconds * 1000 }),
  })
}

/** Ends it at the issuer too, where that can be, and leaves the page for it; false where nothing was begun there. */
export async function endAtIssuer(ended) {
  if (!ended) return false
  const issuer = await describedIssuer()
  const { client_id } = issuer
  if (ended.refreshToken !== undefined && issuer.revocation !== undefined)
    await postForm(issuer.revocation, { client_id, token: ended.refreshToken, token_type_hint: 'refresh_token' })
  if (issuer.endSession === undefined) return false
  const parameters = { id_token_hint: ended.idToken, client_id, post_logout_redirect_uri: ownAddress() }
  location.assign(withParameters(issuer.endSession, parameters))
  return true
}

/** The one address that the issuer sends people back to. */
function ownAddress() {
  return `${location.origin}/`
}

function withParameters(address, parameters) {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function random() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

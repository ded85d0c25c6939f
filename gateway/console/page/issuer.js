import { say } from './say.js'

/** The issuer that people sign in at, as OpenID Connect describes it. The page asks it without cookies, and nobody else. */

const withinMs = 20_000

let provider
let described

/** What this server says of the issuer; undefined where people paste a token. */
export function signInProvider() {
  provider ??= fetch('/console/sign-in')
    .then(async (response) => (response.ok ? (await response.json()).provider : undefined))
    .catch(() => {
      provider = undefined
    })
  return provider
}

/** The provider with its endpoints, from its own description. */
export function describedIssuer() {
  described ??= describe().catch((error) => {
    described = undefined
    throw error
  })
  return described
}

async function describe() {
  const known = await signInProvider()
  if (!known) throw new Error(say('signIn.away'))
  const { issuer } = known
  const response = await asked(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (!response.ok) throw new Error(say('signIn.away'))
  const text = await response.json().catch(() => ({}))
  const isOurs = (address) => URL.canParse(address) && new URL(address).origin === new URL(issuer).origin
  const methods = text.code_challenge_methods_supported ?? ['S256']
  // who could send us to a description of their own, or to endpoints elsewhere, would be given the code
  if (text.issuer !== issuer || !isOurs(text.authorization_endpoint) || !isOurs(text.token_endpoint))
    throw new Error(say('signIn.strange'))
  if (!methods.includes('S256')) throw new Error(say('signIn.strange'))
  return {
    ...known,
    authorization: text.authorization_endpoint,
    token: text.token_endpoint,
    namesItself: text.authorization_response_iss_parameter_supported === true,
    ...(isOurs(text.revocation_endpoint) && { revocation: text.revocation_endpoint }),
    ...(isOurs(text.end_session_endpoint) && { endSession: text.end_session_endpoint }),
  }
}

/** What the token endpoint gives for a code or for a refresh token. `code` of the error is the issuer's word for it. */
export async function askForToken(issuer, fields) {
  const response = await postForm(issuer.token, { client_id: issuer.client_id, ...issuer.parameters, ...fields })
  const body = await response.json().catch(() => ({}))
  if (response.ok && typeof body.access_token === 'string' && /^bearer$/i.test(body.token_type)) return body
  const code = typeof body.error === 'string' ? body.error.slice(0, 60) : String(response.status)
  throw Object.assign(new Error(say('signIn.noTokenThere', { code })), { code })
}

export function postForm(address, fields) {
  return asked(address, { method: 'POST', body: new URLSearchParams(fields) })
}

function asked(address, request = {}) {
  return fetch(address, {
    ...request,
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(withinMs),
  }).catch(() => {
    throw new Error(say('signIn.away'))
  })
}

import { isLoopback } from '../process/loopback.ts'
import { choice, text } from './kinds.ts'

/** How people sign in to the console at the issuer of tokens, by OpenID Connect. */
export const signInSettings = {
  oidcClientId: text({
    variable: 'OIDC_CLIENT_ID',
    about:
      'What the console is called at JWT_ISSUER: a public client with PKCE, which is sent back to the address of the gateway, a slash at its end. With it people sign in there; empty leaves them the token that they paste.',
    fallback: '',
  }),
  oidcScopes: text({
    variable: 'OIDC_SCOPES',
    about:
      'What the console asks that issuer for, separated by spaces; many give a refresh token for `openid offline_access` only.',
    fallback: 'openid',
  }),
  oidcAudienceParameter: choice({
    variable: 'OIDC_AUDIENCE_PARAMETER',
    about:
      'How the console tells that issuer that the token is for JWT_AUDIENCE: as `audience`, as `resource` (RFC 8707), or not at all, where the issuer or a scope decides it.',
    allowed: ['none', 'audience', 'resource'],
    fallback: 'none',
  }),
} as const

interface SignInValues {
  readonly jwksUrl: string
  readonly jwtIssuer: string
  readonly oidcClientId: string
  readonly oidcScopes: string
}

/** RFC 6749: printable, without quotation mark and backslash, and separated by one space. */
const scopesForm = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

export function signInComplaints({ jwksUrl, jwtIssuer, oidcClientId, oidcScopes }: SignInValues): string[] {
  if (oidcClientId === '') return []
  if (jwksUrl === '') return ['OIDC_CLIENT_ID: is set, but JWKS_URL is empty: the development issuer signs nobody in.']
  const complaints: string[] = []
  if (!isSafeAddress(jwtIssuer))
    complaints.push(
      'JWT_ISSUER: people sign in there (OIDC_CLIENT_ID is set), so it must be an https address (http only on this machine itself) without a user, a query or a fragment.',
    )
  if (!scopesForm.test(oidcScopes) || !oidcScopes.split(' ').includes('openid'))
    complaints.push('OIDC_SCOPES: expected `openid`, and others beside it, separated by one space.')
  return complaints
}

function isSafeAddress(given: string): boolean {
  if (!URL.canParse(given) || /[?#]/.test(given)) return false
  const { protocol, hostname, username, password } = new URL(given)
  const isPlainHere = protocol === 'http:' && isLoopback(hostname.replaceAll(/^\[|\]$/g, ''))
  return (protocol === 'https:' || isPlainHere) && username === '' && password === ''
}

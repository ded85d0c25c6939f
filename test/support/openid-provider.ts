import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

interface Tokens {
  /** What they are for. */
  readonly audience: string
  readonly seconds: number
}

/** A certified OpenID provider on this machine. Anyone signs in there, with any password. */
interface OpenIdProvider {
  readonly issuer: string
  /** For a gateway whose people sign in there. */
  readonly environment: Record<string, string>
  /** What tokens are like that it makes from now on; as usual where nothing is said. */
  make(tokens?: Partial<Tokens>): void
  close(): void
}

const clientId = 'vaak-console'
const usual: Tokens = { audience: 'https://vaak.example/api', seconds: 600 }

/** `consoleAt` is where it sends people back to. */
export async function startOpenIdProvider(consoleAt: string): Promise<OpenIdProvider> {
  let made = usual
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // as: it listens on a port
  const answer = (await aProvider(issuer, { consoleAt, made: () => made })).callback()
  server.on('request', (request, response) => void answer(request, response))
  return {
    issuer,
    environment: {
      JWKS_URL: `${issuer}/jwks`,
      JWT_ISSUER: issuer,
      JWT_AUDIENCE: usual.audience,
      JWT_CLOCK_TOLERANCE_SECONDS: '0',
      OIDC_CLIENT_ID: clientId,
      OIDC_SCOPES: 'openid offline_access',
      OIDC_AUDIENCE_PARAMETER: 'resource',
    },
    make: (tokens = {}) => {
      made = { ...usual, ...tokens }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function aProvider(
  issuer: string,
  { consoleAt, made }: { readonly consoleAt: string; readonly made: () => Tokens },
): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'test', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['for tests'] },
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [consoleAt],
        post_logout_redirect_uris: [consoleAt],
      },
    ],
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: {
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: () => made().seconds,
      RefreshToken: 600,
      IdToken: 600,
    },
    pkce: { required: () => true },
    clientBasedCORS: (_context, origin) => `${origin}/` === consoleAt,
    issueRefreshToken: () => Promise.resolve(true),
    features: {
      devInteractions: { enabled: true },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => Promise.resolve(true),
        getResourceServerInfo: () => ({
          scope: '',
          audience: made().audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  })
}

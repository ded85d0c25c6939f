import { join } from 'node:path'

import { terminal } from '../../actors/failure.ts'
import { credentialKind } from '../../actors/identity.ts'
import type { Identify, PublicKeys, SessionSecrets } from '../../actors/identity.ts'
import type { Log } from '../../actors/ports.ts'
import type { Config } from '../config/config.ts'
import type { RecordsClient } from '../nats/records/client.ts'
import { openRecords } from '../nats/records/records.ts'
import { buckets } from '../nats/topology/topology.ts'
import { isLoopback } from '../process/loopback.ts'
import { systemClock } from '../timing/clock.ts'
import { openApiKeys } from './api-keys.ts'
import type { ApiKeys } from './api-keys.ts'
import { openDevelopmentIssuer } from './development-issuer.ts'
import { keySecretOf } from './key-secret.ts'
import { localKeys, remoteKeys } from './keys.ts'
import type { KeySource } from './keys.ts'
import { knowTokens } from './known-tokens.ts'
import { openSessionSecrets } from './session-secrets.ts'
import { signingKeyOf } from './signing-key.ts'
import type { StoredSigningKey } from './signing-key.ts'
import { tokenVerifier } from './token.ts'

/** Who callers are, for every role alike. */
export interface Identity {
  readonly identify: Identify
  readonly secrets: SessionSecrets
  readonly keys: ApiKeys
  /** Absent where tokens come from an identity provider. */
  readonly developmentKeys?: () => PublicKeys
}

interface IdentityParts {
  readonly client: RecordsClient
  readonly log: Log
  /** Whether this process may write records of keys. */
  readonly seesToKeys: boolean
}

export async function openIdentity(config: Config, input: IdentityParts): Promise<Identity> {
  const issuer = await openIssuer(config, input.log)
  const verify = knowTokens(
    tokenVerifier({
      ...issuer,
      clock: systemClock,
      algorithms: config.jwtAlgorithms,
      clockToleranceSeconds: config.jwtClockToleranceSeconds,
    }),
    systemClock,
  )
  const keys = await openKeys(config, issuer.issuer, input)
  const key = await signingKeyOf(
    'sessions',
    config.sessionSecret || ((await keySecretOf(config))?.text ?? ''),
    await openRecords<StoredSigningKey>(input.client, buckets.credentials),
  )
  const secrets = openSessionSecrets({ key, clock: systemClock })
  return {
    secrets,
    keys,
    ...(issuer.developmentKeys && { developmentKeys: issuer.developmentKeys }),
    identify(credential) {
      const kind = credentialKind(credential)
      if (kind === 'api_key') return keys.identify(credential)
      if (kind === 'share_link') return Promise.reject(notForLinks())
      return kind === 'session_secret' ? whileKeyStands(secrets.identify, keys)(credential) : verify(credential)
    },
  }
}

function notForLinks(): Error {
  return terminal(
    'unauthenticated',
    'A share link shows one transcript and opens nothing else. Use a token or an API key.',
  )
}

/** A secret dies with the key that made it. */
function whileKeyStands(identify: Identify, { revoked }: Pick<ApiKeys, 'revoked'>): Identify {
  return async (credential) => {
    const caller = await identify(credential)
    if (caller.keyId !== undefined && (await revoked([caller.keyId])).length > 0)
      throw terminal('unauthenticated', 'The API key that made this session secret was revoked, or has expired.')
    return caller
  }
}

/** Only the keys, for the command that makes them. */
export async function openKeysOf(config: Config, input: Omit<IdentityParts, 'seesToKeys'>): Promise<ApiKeys> {
  return openKeys(config, await issuerName(config, input.log), { ...input, seesToKeys: true })
}

/** What users are told apart under, besides their names. */
export async function issuerName(config: Config, log: Log): Promise<string> {
  return (await openIssuer(config, log)).issuer
}

async function openKeys(config: Config, issuer: string, { client, seesToKeys }: IdentityParts): Promise<ApiKeys> {
  return openApiKeys({
    records: await openRecords(client, buckets.credentials),
    kept: await openRecords(client, buckets.credentials),
    claims: await openRecords(client, buckets.credentials),
    uses: await openRecords(client, buckets.credentials),
    issuer,
    usualDays: config.apiKeyDays,
    secret: await keySecretOf(config),
    reseals: seesToKeys,
    clock: systemClock,
  })
}

interface Issuer {
  readonly issuer: string
  readonly audience: string
  readonly keys: KeySource
  readonly developmentKeys?: () => PublicKeys
}

async function openIssuer(config: Config, log: Log): Promise<Issuer> {
  if (config.jwksUrl !== '') {
    const keys = remoteKeys({ url: config.jwksUrl, clock: systemClock, log })
    return { issuer: config.jwtIssuer, audience: config.jwtAudience, keys }
  }
  if (!isLoopback(config.host)) throw issuerInReach(config.host)
  const { issuer, audience, jwks } = await openDevelopmentIssuer({
    folder: join(config.dataDir, 'identity'),
    nodeEnv: config.nodeEnv,
    clock: systemClock,
  })
  return { issuer, audience, keys: localKeys(jwks), developmentKeys: jwks }
}

/** Whoever reads DATA_DIR can sign as anybody: that is for one person on one machine. */
function issuerInReach(host: string): Error {
  return new Error(
    `The development issuer does not start when HOST is ${host}, where other machines reach the server. ` +
      'Set JWKS_URL, JWT_ISSUER and JWT_AUDIENCE to those of your identity provider, or HOST to 127.0.0.1.',
  )
}

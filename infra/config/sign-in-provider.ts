import type { Config } from './config.ts'

/** Where people sign in to the console, or nothing where they paste a token. */
export function signInProvider(config: Config) {
  const { jwtIssuer, jwtAudience, oidcClientId, oidcScopes, oidcAudienceParameter } = config
  if (oidcClientId === '') return undefined
  return {
    issuer: jwtIssuer,
    clientId: oidcClientId,
    scope: oidcScopes,
    parameters: oidcAudienceParameter === 'none' ? {} : { [oidcAudienceParameter]: jwtAudience },
  }
}

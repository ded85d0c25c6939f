import { emptyEnvironmentBlock } from '../process/environment-block.ts'
import type { Setting } from './kinds.ts'
import { settings } from './settings.ts'
import { signInComplaints } from './sign-in-settings.ts'

/** The environment, parsed once. This is the only file that reads `process.env`. */
export type Config = { readonly [Name in keyof typeof settings]: ValueOf<(typeof settings)[Name]> }

type ValueOf<Of> = Of extends Setting<infer Value> ? Value : never

export type Environment = Readonly<Record<string, string | undefined>>

/** Everything that is wrong, in one go, so that nobody mends variables one restart at a time. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly complaints: readonly string[]) {
    super(`The configuration has ${complaints.length} problem(s):\n${complaints.map((line) => `  ${line}`).join('\n')}`)
  }
}

export function processEnvironment(): Environment {
  return process.env
}

/**
 * All of it, for who parses it; afterwards nobody finds a secret where it was: our own are unset, and what libraries look for is in memory that the
 * kernel shows to nobody. `onRefusal` is told why it can still be read where it was.
 */
export function takeEnvironment(onRefusal: (error: unknown) => void): Environment {
  const taken = { ...process.env }
  for (const [name, value] of Object.entries(taken)) process.env[name] = value // a copy, in the place of the one that we were given
  for (const { variable, secret } of Object.values<Setting<unknown>>(settings)) if (secret) delete process.env[variable]
  try {
    emptyEnvironmentBlock((entry) => {
      const [name = ''] = entry.split('=', 1)
      const value = taken[name]
      return value === undefined || entry === `${name}=${value}` // nobody reads what was unset before us
    })
  } catch (error) {
    onRefusal(error)
  }
  return taken
}

export function readConfig(environment: Environment): Config {
  const complaints: string[] = []
  const values = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const given = environment[setting.variable] ?? ''
    const { success, data } = setting.schema.safeParse(given === '' ? setting.fallback : given)
    if (!success) complaints.push(complaint(setting, given))
    return [name, data] as const
  })
  // as: each value came from the schema of the setting of the same name
  const config = Object.freeze(Object.fromEntries(values)) as Config
  if (complaints.length === 0) complaints.push(...contradictions(config))
  if (complaints.length > 0) throw new ConfigError(complaints)
  return config
}

/** The effective values as they would be written, for people: secrets are never shown. */
export function describeConfig(environment: Environment): { variable: string; value: string; from: string }[] {
  return Object.values<Setting<unknown>>(settings).map((setting) => {
    const given = environment[setting.variable] ?? ''
    const value = given === '' ? setting.fallback : given
    return {
      variable: setting.variable,
      value: setting.secret && value !== '' ? '(set, not shown)' : withoutCredentials(setting, value),
      from: given === '' ? 'default' : 'environment',
    }
  })
}

function complaint(setting: Setting<unknown>, given: string): string {
  const shown = setting.secret ? '(not shown)' : JSON.stringify(withoutCredentials(setting, given).slice(0, 200))
  return `${setting.variable}: ${shown} was given; expected ${setting.expects}.`
}

/** Addresses may hold a user and a password before their host. */
function withoutCredentials(setting: Setting<unknown>, value: string): string {
  const isAddress = setting.unit === 'address' || setting.variable.endsWith('_URL')
  return isAddress ? value.replaceAll(/[^\s,/@]*@/g, '(not shown)@') : value
}

const relayKeyMinCharacters = 16
/** What nats-server reads as it is, between quotation marks. */
const storeKeyForm = /^[\w\-+/=.]{16,}$/

function contradictions(config: Config): string[] {
  const complaints: string[] = []
  if (config.jwksUrl !== '' && (config.jwtIssuer === '' || config.jwtAudience === ''))
    complaints.push('JWKS_URL: is set, so JWT_ISSUER and JWT_AUDIENCE must be set too.')
  if (config.jwksUrl === '' && config.nodeEnv === 'production')
    complaints.push(
      'JWKS_URL: is empty, but the development issuer does not run with NODE_ENV=production; set JWKS_URL, JWT_ISSUER and JWT_AUDIENCE.',
    )
  complaints.push(...signInComplaints(config))
  if (config.faults !== 'none' && config.nodeEnv === 'production')
    complaints.push('FAULTS: is for tests only and is refused with NODE_ENV=production; remove it.')
  if (config.recogniser === 'scripted' && config.nodeEnv === 'production')
    complaints.push('RECOGNISER: `scripted` is for tests only and is refused with NODE_ENV=production; remove it.')
  for (const [variable, cert, key] of [
    ['TLS_CERT', config.tlsCert, config.tlsKey],
    ['REALTIME_TLS_CERT', config.realtimeTlsCert, config.realtimeTlsKey],
    ['NATS_TLS_CERT', config.natsTlsCert, config.natsTlsKey],
  ] as const)
    if ((cert === '') !== (key === ''))
      complaints.push(`${variable}: a certificate needs its key and a key its certificate; set both or neither.`)
  if (config.natsStoreKey !== '' && !storeKeyForm.test(config.natsStoreKey))
    complaints.push('NATS_STORE_KEY: has 16 or more letters, digits and _-+/=. and nothing else.')
  if (config.keySecretSince !== '' && Number.isNaN(Date.parse(config.keySecretSince)))
    complaints.push('KEY_SECRET_SINCE: is not a time such as 2026-11-16T10:00:00Z.')
  if (config.keySecretSince !== '' && config.keySecret === '')
    complaints.push('KEY_SECRET_SINCE: is set, but KEY_SECRET is not; set both, or neither.')
  if (config.realtimeRelayOrigins.length > 0 && config.realtimeRelayKey.length < relayKeyMinCharacters)
    complaints.push(
      `REALTIME_RELAY_KEY: REALTIME_RELAY_ORIGINS is set, so it needs at least ${relayKeyMinCharacters} characters: an origin proves nothing.`,
    )
  if (config.llmBaseUrl !== '' && config.llmModel === '')
    complaints.push('LLM_MODEL: is empty, but LLM_BASE_URL is set; name the model to ask for there.')
  if (config.transferRetryLastMs < config.transferRetryFirstMs)
    complaints.push('TRANSFER_RETRY_LAST_MS: is smaller than TRANSFER_RETRY_FIRST_MS; pauses grow, they do not shrink.')
  if (config.uploadMaxRequestBytes < config.uploadMaxFileBytes)
    complaints.push('UPLOAD_MAX_REQUEST_BYTES: is smaller than UPLOAD_MAX_FILE_BYTES; no file of that size could come.')
  return complaints
}

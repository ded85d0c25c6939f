import { profiles } from '../../actors/run/state.ts'
import { faultSettings } from '../process/faults.ts'
import { attemptSettings } from './attempt-settings.ts'
import { brokerSettings } from './broker-settings.ts'
import { clientSettings } from './client-settings.ts'
import { compatibleSettings } from './compatible-settings.ts'
import { inquirySettings } from './inquiry-settings.ts'
import { keySettings } from './key-settings.ts'
import { choice, flag, integer, list, text, webAddress } from './kinds.ts'
import { rateSettings } from './rate-settings.ts'
import { realtimeSettings } from './realtime-settings.ts'
import { remoteSettings } from './remote-settings.ts'
import { retentionSettings } from './retention-settings.ts'
import { searchSettings } from './search-settings.ts'
import { signInSettings } from './sign-in-settings.ts'
import { traceSettings } from './trace-settings.ts'
import { uploadSettings } from './upload-settings.ts'
import { voiceSettings } from './voice-settings.ts'
import { webSettings } from './web-settings.ts'
import { webhookSettings } from './webhook-settings.ts'
import { workSettings } from './work-settings.ts'

/** Every variable that Vaak reads, with its default, its unit and a sentence. infra/docs/settings.md is made from this. */
export const settings = {
  nodeEnv: text({
    variable: 'NODE_ENV',
    about:
      'When it is `production` the development issuer refuses to start, as it does when HOST can be reached from other machines.',
    fallback: '',
  }),
  host: text({ variable: 'HOST', about: 'Address that the servers listen on.', fallback: '127.0.0.1' }),
  port: integer({ variable: 'PORT', about: 'Port of the REST gateway.', unit: 'port', fallback: 8080, max: 65_535 }),
  metricsPort: integer({
    variable: 'METRICS_PORT',
    about: 'Port of the Prometheus metrics; 0 turns them off.',
    unit: 'port',
    fallback: 9464,
    max: 65_535,
  }),
  metricsHost: text({
    variable: 'METRICS_HOST',
    about:
      'Address that the metrics listen on, whatever HOST is: they tell how much is used, and ask nobody who they are.',
    fallback: '127.0.0.1',
  }),
  dataDir: text({
    variable: 'DATA_DIR',
    about: 'Folder of everything that must survive a restart on this machine.',
    fallback: '.vaak',
  }),
  cacheDir: text({
    variable: 'VAAK_CACHE',
    about: 'Folder of downloads (nats-server, models); empty means `vaak` in the user’s cache folder.',
    fallback: '',
  }),
  logLevel: choice({
    variable: 'LOG_LEVEL',
    about: 'How much is logged.',
    allowed: ['debug', 'info', 'warn', 'error', 'silent'],
    fallback: 'info',
  }),
  logPii: flag({
    variable: 'LOG_PII',
    about: 'Whether log fields that may identify people (file names, for instance) are written.',
    fallback: false,
  }),
  sandbox: choice({
    variable: 'SANDBOX',
    about:
      'Processes that read what users sent have no network, no files and no view of others, where the kernel allows it; `required` does not start where it does not.',
    allowed: ['auto', 'required'],
    fallback: 'auto',
  }),
  shutdownSeconds: integer({
    variable: 'SHUTDOWN_SECONDS',
    about: 'How long running requests may take to finish after SIGTERM.',
    unit: 'seconds',
    fallback: 20,
    max: 3600,
  }),

  ...brokerSettings,

  storageUrl: text({
    variable: 'STORAGE_URL',
    about: 'Object storage: `disk:` (under DATA_DIR), `disk:/folder`, or `s3://bucket?endpoint=…&region=…&prefix=…`.',
    fallback: 'disk:',
  }),
  storageAccessKeyId: text({
    variable: 'STORAGE_ACCESS_KEY_ID',
    about: 'Access key of the s3 storage; empty means the SDK’s own search.',
    fallback: '',
  }),
  storageSecretAccessKey: text({
    variable: 'STORAGE_SECRET_ACCESS_KEY',
    about: 'Secret key of the s3 storage.',
    fallback: '',
    secret: true,
  }),

  modelIdleSeconds: integer({
    variable: 'MODEL_IDLE_SECONDS',
    about:
      'A model that nobody has asked for this long leaves the memory of its process; the next who needs it waits for a moment while it comes back from the cache. 0 keeps models until the process ends.',
    unit: 'seconds',
    fallback: 900,
    max: 86_400,
  }),
  asrProfile: choice({
    variable: 'ASR_PROFILE',
    about: 'Which models are used: faster or more accurate ones.',
    allowed: profiles,
    fallback: 'balanced',
  }),
  whisperModel: text({
    variable: 'WHISPER_MODEL',
    about: 'A Whisper model to hear everything with, instead of those of the profile: an id, or a folder in MODEL_DIR.',
    fallback: '',
  }),
  modelDir: text({
    variable: 'MODEL_DIR',
    about: 'Folder with models that were put there by hand; looked at before the cache.',
    fallback: '',
  }),
  hubAddress: webAddress({
    variable: 'HF_ENDPOINT',
    about: 'Where models of the Hugging Face hub are fetched from; empty means the hub itself.',
  }),

  jwksUrl: text({
    variable: 'JWKS_URL',
    about: 'Where the public keys of the token issuer are; empty starts the development issuer.',
    fallback: '',
  }),
  jwtIssuer: text({ variable: 'JWT_ISSUER', about: 'Required `iss` of a token.', fallback: '' }),
  jwtAudience: text({ variable: 'JWT_AUDIENCE', about: 'Required `aud` of a token.', fallback: '' }),
  jwtAlgorithms: list({
    variable: 'JWT_ALGORITHMS',
    about: 'Signature algorithms that are accepted.',
    allowed: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
    fallback: ['RS256', 'ES256', 'EdDSA'],
  }),
  jwtClockToleranceSeconds: integer({
    variable: 'JWT_CLOCK_TOLERANCE_SECONDS',
    about: 'How far the clocks of issuer and gateway may differ.',
    unit: 'seconds',
    fallback: 30,
    max: 60,
  }),

  ...signInSettings,
  ...keySettings,

  auditDays: integer({
    variable: 'AUDIT_DAYS',
    about:
      'How long it is kept who did what (`vaak audit`). To change it for a broker that is in use takes `vaak migrate`.',
    unit: 'days',
    fallback: 90,
    min: 1,
    max: 3650,
  }),

  idempotencyHours: integer({
    variable: 'IDEMPOTENCY_HOURS',
    about: 'How long an Idempotency-Key is remembered.',
    unit: 'hours',
    fallback: 24,
    min: 1,
    max: 720,
  }),

  ...webSettings,
  ...rateSettings,
  ...uploadSettings,
  ...workSettings,
  ...attemptSettings,
  ...retentionSettings,
  ...searchSettings,
  ...webhookSettings,
  ...voiceSettings,
  ...compatibleSettings,
  ...clientSettings,
  ...remoteSettings,
  ...realtimeSettings,
  ...inquirySettings,
  ...traceSettings,

  faults: choice({
    variable: 'FAULTS',
    about:
      'For tests only: `point:kill`, `point:freeze` or `point:throw` strikes when the process first comes to that point of its work. Refused with NODE_ENV=production.',
    allowed: ['none', ...faultSettings],
    fallback: 'none',
  }),
} as const

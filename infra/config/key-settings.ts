import { integer, text } from './kinds.ts'

/** API keys, and what makes them ours. */
export const keySettings = {
  apiKeyDays: integer({
    variable: 'API_KEY_DAYS',
    about: 'After how many days an API key stops working when nobody says; 0 means when it is revoked.',
    unit: 'days',
    fallback: 365,
    max: 3650,
  }),
  keySecret: text({
    variable: 'KEY_SECRET',
    about:
      'What records of API keys are sealed with, ephemeral tokens signed where SESSION_SECRET is empty, and receipts of transcripts: the same for all gateways, realtime servers and `vaak keys`, and not for workers. Who writes to NATS can then make no key. `vaak up` draws one under DATA_DIR for its own nats-server; empty elsewhere trusts whoever writes to NATS.',
    fallback: '',
    secret: true,
  }),
  keySecretSince: text({
    variable: 'KEY_SECRET_SINCE',
    about:
      'When KEY_SECRET was first set everywhere, such as 2026-11-16T10:00:00Z: records of keys that NATS stored later without a seal are refused. Empty refuses none.',
    fallback: '',
  }),
} as const

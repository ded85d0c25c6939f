import { integer, seconds, text } from './kinds.ts'

/** How clients learn what becomes of their batches. */
export const webhookSettings = {
  eventsMax: integer({
    variable: 'EVENTS_MAX',
    about: 'Event streams that one gateway keeps open at the same time.',
    unit: 'streams',
    fallback: 1000,
    max: 9000,
  }),
  eventsMaxPerUser: integer({
    variable: 'EVENTS_MAX_PER_USER',
    about: 'Event streams of one user on one gateway.',
    unit: 'streams',
    fallback: 16,
    min: 1,
    max: 1000,
  }),
  webhookSecret: text({
    variable: 'WEBHOOK_SECRET',
    about:
      'What the key of each user is made from, with which calls to `callback_url` are signed; empty keeps one in NATS.',
    fallback: '',
    secret: true,
  }),
  webhookTimeoutSeconds: integer({
    variable: 'WEBHOOK_TIMEOUT_SECONDS',
    about: 'How long a server that is called may take to answer.',
    unit: 'seconds',
    fallback: 15,
    min: 1,
    max: 300,
  }),
  webhookMaxRetries: integer({
    variable: 'WEBHOOK_MAX_RETRIES',
    about: 'How often a call that was not taken is tried again.',
    unit: 'times',
    fallback: 7,
    max: 100,
  }),
  webhookRetryIntervals: seconds({
    variable: 'WEBHOOK_RETRY_INTERVALS',
    about: 'Pauses before each of these.',
    fallback: '10,60,300,1800,7200,21600,86400',
  }),
} as const

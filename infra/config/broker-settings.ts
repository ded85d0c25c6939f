import { bytes, integer, text } from './kinds.ts'

/** The broker: where it is, who we are there, and how the private one keeps what it is given. */
export const brokerSettings = {
  natsUrl: text({
    variable: 'NATS_URL',
    about: 'NATS servers, separated by commas; empty starts a private nats-server under DATA_DIR.',
    fallback: '',
  }),
  natsUser: text({ variable: 'NATS_USER', about: 'User name for NATS.', fallback: '' }),
  natsPassword: text({ variable: 'NATS_PASSWORD', about: 'Password for NATS.', fallback: '', secret: true }),
  natsCreds: text({
    variable: 'NATS_CREDS',
    about: 'File with the credentials of this process for NATS (a JWT and an nkey), in the place of a user name.',
    fallback: '',
  }),
  natsTlsCa: text({
    variable: 'NATS_TLS_CA',
    about: 'File with the certificates (PEM) that NATS servers are known by; it makes the connection TLS.',
    fallback: '',
  }),
  natsTlsCert: text({
    variable: 'NATS_TLS_CERT',
    about: 'File with the certificate (PEM) that this process shows to NATS.',
    fallback: '',
  }),
  natsTlsKey: text({ variable: 'NATS_TLS_KEY', about: 'File with the key (PEM) of that certificate.', fallback: '' }),
  natsInboxPrefix: text({
    variable: 'NATS_INBOX_PREFIX',
    about:
      'What subjects of answers to this process begin with: where gateways, workers and realtime servers are users of their own, each reads only its own.',
    fallback: '_INBOX',
  }),
  natsReplicas: integer({
    variable: 'NATS_REPLICAS',
    about: 'Copies of every stream; 3 on a cluster.',
    unit: 'copies',
    fallback: 1,
    min: 1,
    max: 5,
  }),
  natsStoreMaxBytes: bytes({
    variable: 'NATS_STORE_MAX_BYTES',
    about:
      'Most that the private nats-server stores; what does not fit is refused. 0 means three quarters of what is free when it starts.',
    fallback: '0',
    min: 0,
  }),
  natsStoreKey: text({
    variable: 'NATS_STORE_KEY',
    about:
      'What the private nats-server encrypts its store with, 16 or more letters, digits and `_-+/=.`; empty leaves it as it is. Without the same one the store cannot be read again.',
    fallback: '',
    secret: true,
  }),
  natsServerBin: text({
    variable: 'NATS_SERVER_BIN',
    about: 'The nats-server program to use; empty means PATH, then the cache, then a download.',
    fallback: '',
  }),
} as const

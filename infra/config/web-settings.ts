import { items, readBy, text } from './kinds.ts'
import { readOrigin } from './origin.ts'

/** How browsers and other strangers reach the servers. */
export const webSettings = {
  tlsCert: text({
    variable: 'TLS_CERT',
    about:
      'File with the certificate chain (PEM) of the gateway and the realtime port; with it both speak `https:` and `wss:` only.',
    fallback: '',
  }),
  tlsKey: text({ variable: 'TLS_KEY', about: 'File with the key (PEM) of that certificate.', fallback: '' }),
  corsOrigins: items({
    variable: 'CORS_ORIGINS',
    about:
      'Web pages of other servers that may call the API and open sessions, such as `https://app.example`, or `*`. Cookies are never looked at.',
    fallback: '',
    expects: '`*` or origins such as https://app.example',
    item: readBy(readOrigin),
  }),
} as const

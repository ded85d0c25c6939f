import { text, webAddress } from './kinds.ts'

/** Where the commands go that are clients of a server. */
export const clientSettings = {
  clientUrl: webAddress({
    variable: 'VAAK_URL',
    about:
      'The server that `vaak upload`, `batch`, `status`, `results` and `download` talk to; empty means this machine and PORT.',
  }),
  clientToken: text({
    variable: 'VAAK_TOKEN',
    about: 'The token that they show there.',
    fallback: '',
    secret: true,
  }),
} as const

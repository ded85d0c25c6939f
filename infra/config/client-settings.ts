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
  clientLoginFile: text({
    variable: 'VAAK_LOGIN_FILE',
    about: 'Where `vaak login` keeps a server and its token; empty means `.config/vaak/login.json` in your home.',
    fallback: '',
  }),
} as const

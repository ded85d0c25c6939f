import { openClient } from '../../client/client.ts'
import type { Client } from '../../client/client.ts'
import type { Config } from '../../config/config.ts'
import { codeOf } from '../../process/error-code.ts'
import { UsageError } from '../command.ts'
import { inOneTrace } from './one-trace.ts'
import { readLogin } from './saved-login.ts'
import type { SavedLogin } from './saved-login.ts'

/** What the help of every command says that is a client. */
export const aboutServer = `The server is VAAK_URL (default http://127.0.0.1:8080), the token VAAK_TOKEN; or both are
those of "vaak login".
`

export function connectToServer(config: Config): Client {
  const { url, token } = serverOf(config)
  return openClient({ url, token, fetch: inOneTrace(reaching(url)) })
}

export function localUrl({ port }: Config): string {
  return `http://127.0.0.1:${port}`
}

/** Where everybody may ask: whoever has no token too. */
export function publicUrl(config: Config): string {
  return config.clientUrl === '' ? (readLogin(config)?.url ?? localUrl(config)) : config.clientUrl
}

/** A token that is kept is shown to the server it is for, whatever else the environment says. */
function serverOf(config: Config): SavedLogin {
  const { clientUrl, clientToken } = config
  if (clientToken !== '') return { url: clientUrl === '' ? localUrl(config) : clientUrl, token: clientToken }
  const saved = readLogin(config)
  if (saved && (clientUrl === '' || clientUrl === saved.url)) return saved
  const what = saved ? `VAAK_TOKEN is empty, and "vaak login" was for ${saved.url}.` : 'VAAK_TOKEN is empty.'
  throw new UsageError(
    `${what} Set it to a token of the server, or use "vaak login"; "vaak token --user NAME" makes one locally.`,
  )
}

/** Says what is wrong where nobody answers. */
export function reaching(url: string): typeof fetch {
  return async (address, init) => {
    try {
      return await fetch(address, init)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      const why = codeOf(error.cause) || 'the connection broke'
      throw new Error(`The server at ${url} cannot be reached (${why}). Is VAAK_URL right?`, { cause: error })
    }
  }
}

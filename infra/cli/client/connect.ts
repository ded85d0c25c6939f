import { openClient } from '../../client/client.ts'
import type { Client } from '../../client/client.ts'
import type { Config } from '../../config/config.ts'
import { codeOf } from '../../process/error-code.ts'
import { UsageError } from '../command.ts'

/** What the help of every command says that is a client. */
export const aboutServer = `The server is VAAK_URL (default http://127.0.0.1:8080), the token VAAK_TOKEN.
`

export function connectToServer(config: Config): Client {
  const url = config.clientUrl === '' ? `http://127.0.0.1:${config.port}` : config.clientUrl
  if (config.clientToken === '')
    throw new UsageError(
      'VAAK_TOKEN is empty. Set it to a token of the server; "vaak token --user NAME" makes one locally.',
    )
  return openClient({
    url,
    token: config.clientToken,
    async fetch(address, init) {
      try {
        return await fetch(address, init)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        const why = codeOf(error.cause) || 'the connection broke'
        throw new Error(`The server at ${url} cannot be reached (${why}). Is VAAK_URL right?`, { cause: error })
      }
    },
  })
}

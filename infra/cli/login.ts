import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

import { ApiError, openClient } from '../client/client.ts'
import type { Config } from '../config/config.ts'
import { localUrl, reaching } from './client/connect.ts'
import { forgetLogin, loginFile, saveLogin } from './client/saved-login.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const loginCommand: Command = {
  name: 'login',
  summary: 'Keep a server and a token for the commands that are clients.',
  examples: `  vaak login https://vaak.example.org          asks for a token or an API key
  vaak token --user asha | vaak login          for the server on this machine
  vaak login --forget
`,
  help: `Usage: vaak login [URL]
       vaak login --forget

Reads a token or an API key, from a pipe or as you paste it, asks the server whether it
is a good one, and keeps both in a file that only you can read. Commands that are clients
use it where VAAK_TOKEN is not set, and show it to no other server.
Without URL the server is VAAK_URL, or this machine. VAAK_LOGIN_FILE names another file.

  --forget   remove what is kept; the token itself stays good until it ends or is revoked
`,
  options: { forget: { type: 'boolean' } },
  operands: true,
  async run({ config, options, operands }) {
    if (operands.length > 1) throw new UsageError('One server, please. Try: vaak login --help')
    if (options['forget'] === true) {
      await forgetLogin(config)
      return void process.stdout.write(`Nothing is kept in ${loginFile(config)}.\n`)
    }
    const url = operands[0] === undefined ? serverIn(config) : addressIn(operands[0])
    const token = await readToken(url)
    await check({ url, token })
    await saveLogin(config, { url, token })
    process.stdout.write(`${url} is used from now on; its token is in ${loginFile(config)}.\n`)
  },
}

function serverIn(config: Config): string {
  return config.clientUrl === '' ? localUrl(config) : config.clientUrl
}

function addressIn(given: string): string {
  const address = URL.canParse(given) ? new URL(given) : undefined
  if (!address || !/^https?:$/.test(address.protocol) || address.username !== '' || address.password !== '')
    throw new UsageError(`${JSON.stringify(given)} is not an address that begins with http:// or https://.`)
  return given.replace(/\/+$/, '')
}

/** The first line. What is pasted is not shown, and comes into no history of a shell. */
async function readToken(url: string): Promise<string> {
  const { stdin, stderr } = process
  if (stdin.isTTY) stderr.write(`Token or API key for ${url}: `)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY })
  try {
    for await (const line of lines) if (line.trim() !== '') return line.trim()
  } finally {
    lines.close()
    if (stdin.isTTY) stderr.write('\n')
  }
  throw new UsageError('There was no token. Try: vaak login --help')
}

async function check({ url, token }: { readonly url: string; readonly token: string }): Promise<void> {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('That is no token: it has spaces or other signs in it.')
  try {
    await openClient({ url, token, fetch: reaching(url) }).call('listModels')
  } catch (error) {
    // a key that is for something else is a good one
    if (error instanceof ApiError && error.status === 403) return
    throw error
  }
}

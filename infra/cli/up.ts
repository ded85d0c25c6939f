import type { Command } from './command.ts'

export const upCommand: Command = {
  name: 'up',
  summary: 'Run everything on this machine: nats-server, gateway, worker, realtime, storage on disk.',
  help: `Usage: vaak up [--tls]          (also: npm start, npm start -- --tls)

Brings up a working service on this machine. Whatever is not configured has a default of its own:
  broker     a private nats-server, found or fetched, with its store under DATA_DIR (or NATS_URL)
  storage    files under DATA_DIR (or STORAGE_URL)
  identity   a development issuer, with a token printed at start (or JWKS_URL, JWT_ISSUER, JWT_AUDIENCE)
Roles:
  gateway    the REST API on HOST:PORT, and voice sessions at /v1/realtime, which it passes on
  worker     what transcribes batches
  realtime   voice sessions on HOST:REALTIME_PORT, with a page to try them
Options:
  --tls      both servers speak https and wss: with TLS_CERT and TLS_KEY, or with a certificate of their own, which is kept
             under DATA_DIR/tls, made anew before it expires, and told to you together with how to trust it
The neural voice is fetched in the background (180 MB, once; TTS_FETCH=false if you do not want it).
Ctrl-C drains and stops everything. All data is under DATA_DIR and is found again by the next start.
"vaak config" lists all variables.
`,
  options: { tls: { type: 'boolean' } },
  async run({ config, environment, options }) {
    const { up } = await import('../up/up.ts')
    await up(config, environment, { tls: options['tls'] === true })
  },
}

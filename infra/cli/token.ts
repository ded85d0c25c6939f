import { join } from 'node:path'

import { systemClock } from '../timing/clock.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

const hoursMax = 720

export const tokenCommand: Command = {
  name: 'token',
  summary: 'Make a token of the development issuer.',
  examples: `  vaak token
  vaak token --user asha --hours 1
`,
  help: `Usage: vaak token [--user NAME] [--hours HOURS]

Prints a bearer token for local use, signed with the key under DATA_DIR. It works only where JWKS_URL is empty, and it
refuses to run with NODE_ENV=production.

  --user NAME     whose token; any name, each name is a user of its own (default me)
  --hours HOURS   how long it is good for (default 12, at most ${hoursMax})
`,
  options: { user: { type: 'string' }, hours: { type: 'string' } },
  async run({ config, options }) {
    const { user = 'me', hours = '12' } = options
    if (
      typeof user !== 'string' ||
      typeof hours !== 'string' ||
      !/^\d{1,3}$/.test(hours) ||
      Number(hours) < 1 ||
      Number(hours) > hoursMax
    )
      throw new UsageError(`--hours takes a whole number from 1 to ${hoursMax}.`)
    if (config.jwksUrl !== '')
      throw new UsageError('JWKS_URL is set, so tokens come from that issuer, not from the development issuer.')
    const { openDevelopmentIssuer } = await import('../identity/development-issuer.ts')
    const issuer = await openDevelopmentIssuer({
      folder: join(config.dataDir, 'identity'),
      nodeEnv: config.nodeEnv,
      clock: systemClock,
    })
    process.stdout.write(`${await issuer.sign({ user, lifetimeSeconds: Number(hours) * 3600 })}\n`)
  },
}

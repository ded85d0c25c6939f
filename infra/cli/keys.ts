import { keyLimits } from '../../actors/identity.ts'
import type { Config } from '../config/config.ts'
import type { ApiKeys } from '../identity/api-keys.ts'
import { UsageError } from './command.ts'
import type { Command, GivenArguments } from './command.ts'
import { withRunningBroker } from './with-broker.ts'

const userMaxCharacters = 128

export const keysCommand: Command = {
  name: 'keys',
  summary: 'Make, list and revoke API keys.',
  help: `Usage: vaak keys create --user NAME [--label TEXT] [--days DAYS]
       vaak keys list
       vaak keys revoke ID…

API keys are accepted wherever a token is: by the gateway and by realtime sessions. create prints the key once; only a
hash of it is kept. A key acts for the user that a token with that name (sub) acts for. Needs the NATS that the service
uses: NATS_URL, or a "vaak up" that runs on this DATA_DIR.

  --user NAME    whose key (create)
  --label TEXT   what it is for, shown by list
  --days DAYS    after how many days it stops working, at most ${keyLimits.days}; without it, when it is revoked
`,
  options: { user: { type: 'string' }, label: { type: 'string' }, days: { type: 'string' } },
  operands: true,
  async run(given) {
    const [verb, ...ids] = given.operands
    const act = verb === undefined ? undefined : verbs[verb]
    if (!act) throw new UsageError('Try: vaak keys create --user NAME, vaak keys list, or vaak keys revoke ID')
    await withKeys(given.config, (keys) => act(keys, given, ids))
  },
}

const verbs: Readonly<Record<string, (keys: ApiKeys, given: GivenArguments, ids: readonly string[]) => Promise<void>>> =
  {
    async create(keys, { options }) {
      const { user, label = '', days } = options
      if (typeof user !== 'string' || user === '' || user.length > userMaxCharacters || /\p{C}/u.test(user))
        throw new UsageError(`Whose key? Try: vaak keys create --user NAME (1 to ${userMaxCharacters} characters)`)
      if (typeof label !== 'string' || label.length > keyLimits.labelCharacters || /\p{C}/u.test(label))
        throw new UsageError(`--label takes at most ${keyLimits.labelCharacters} printable characters.`)
      if (days !== undefined && !(typeof days === 'string' && /^\d{1,4}$/.test(days) && isWithin(Number(days))))
        throw new UsageError(`--days takes a whole number from 1 to ${keyLimits.days}.`)
      const { key } = await keys.create({ user, label, ...(days !== undefined && { days: Number(days) }) })
      process.stdout.write(`${key}\n`)
    },
    async list(keys) {
      const all = await keys.list()
      if (all.length === 0) process.stdout.write('There are no API keys. Make one: vaak keys create --user NAME\n')
      for (const { id, user, label, createdAtMs, untilMs } of all) {
        const until = untilMs === undefined ? 'until revoked' : `until ${day(untilMs)}`
        process.stdout.write(`${id}  ${user}  ${label === '' ? '-' : label}  since ${day(createdAtMs)}  ${until}\n`)
      }
    },
    async revoke(keys, _, ids) {
      if (ids.length === 0) throw new UsageError('Which key? "vaak keys list" shows their ids.')
      for (const id of ids) {
        if (!(await keys.revoke(id))) throw new UsageError(`There is no API key ${JSON.stringify(id.slice(0, 40))}.`)
        process.stdout.write(`${id} is revoked.\n`)
      }
    },
  }

async function withKeys(config: Config, use: (keys: ApiKeys) => Promise<void>): Promise<void> {
  const { openKeysOf } = await import('../identity/open-identity.ts')
  await withRunningBroker(config, 'keys', async (client, log) => use(await openKeysOf(config, { client, log })))
}

function isWithin(days: number): boolean {
  return days >= 1 && days <= keyLimits.days
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

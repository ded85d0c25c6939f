import { keyLimits, keyScopes, usualOverlapHours, usualScopes } from '../../actors/identity.ts'
import type { KeyScope } from '../../actors/identity.ts'
import type { Config } from '../config/config.ts'
import type { ApiKeys } from '../identity/api-keys.ts'
import { UsageError } from './command.ts'
import type { Command, GivenArguments } from './command.ts'
import { withRunningBroker } from './with-broker.ts'

const userMaxCharacters = 128

export const keysCommand: Command = {
  name: 'keys',
  summary: 'Make, list, rotate and revoke API keys.',
  help: `Usage: vaak keys create --user NAME [--label TEXT] [--days DAYS] [--scopes LIST]
       vaak keys list
       vaak keys rotate ID [--overlap HOURS]
       vaak keys revoke ID…

API keys are accepted wherever a token is, as far as their scopes go: by the gateway and by realtime sessions. create and
rotate print the key once; only a hash of it is kept. A key acts for the user that a token with that name (sub) acts for.
rotate makes one in the place of another, which goes on for a while. revoke ends also those that a key has made. Needs the
NATS that the service uses: NATS_URL, or a "vaak up" that runs on this DATA_DIR.

  --user NAME    whose key (create)
  --label TEXT   what it is for, shown by list
  --days DAYS    after how many days it stops working, at most ${keyLimits.days}, or 0: when it is revoked (API_KEY_DAYS)
  --scopes LIST  what it is good for, of ${keyScopes.join(', ')}, between commas; admin
                 is all of them, realtime also voices and telephone calls (${usualScopes.join(',')})
  --overlap HOURS  how long the old key goes on, at most ${keyLimits.overlapHours} (${usualOverlapHours})
`,
  options: {
    user: { type: 'string' },
    label: { type: 'string' },
    days: { type: 'string' },
    scopes: { type: 'string' },
    overlap: { type: 'string' },
  },
  operands: true,
  async run(given) {
    const [verb, ...ids] = given.operands
    const act = verb === undefined ? undefined : verbs[verb]
    if (!act)
      throw new UsageError(
        'Try: vaak keys create --user NAME, vaak keys list, vaak keys rotate ID, or vaak keys revoke ID',
      )
    await withKeys(given.config, (keys, note) => act({ keys, note }, given, ids))
  },
}

/** Writes down what was done to a key. */
type Note = (what: string, id: string) => Promise<void>

interface KeyTools {
  readonly keys: ApiKeys
  readonly note: Note
}

type Verb = (tools: KeyTools, given: GivenArguments, ids: readonly string[]) => Promise<void>

const verbs: Readonly<Record<string, Verb>> = {
  async create({ keys, note }, { options }) {
    const { user, label = '', days, scopes } = options
    if (typeof user !== 'string' || user === '' || user.length > userMaxCharacters || /\p{C}/u.test(user))
      throw new UsageError(`Whose key? Try: vaak keys create --user NAME (1 to ${userMaxCharacters} characters)`)
    if (typeof label !== 'string' || label.length > keyLimits.labelCharacters || /\p{C}/u.test(label))
      throw new UsageError(`--label takes at most ${keyLimits.labelCharacters} printable characters.`)
    const { id, key } = await keys.create({
      user,
      label,
      ...(days !== undefined && { days: wholeNumber('--days', days, keyLimits.days) }),
      ...(scopes !== undefined && { scopes: readScopes(scopes) }),
    })
    await note('create', id)
    process.stdout.write(`${key}\n`)
  },
  async list({ keys }) {
    const all = await keys.list()
    if (all.length === 0) process.stdout.write('There are no API keys. Make one: vaak keys create --user NAME\n')
    for (const { id, user, label, scopes, createdAtMs, untilMs, lastUsedAtMs, replacedBy } of all) {
      const until = untilMs === undefined ? 'until revoked' : `until ${day(untilMs)}`
      const used = lastUsedAtMs === undefined ? 'not used' : `used ${day(lastUsedAtMs)}`
      const words = [id, user, label === '' ? '-' : label, `since ${day(createdAtMs)}`, until, scopes.join(','), used]
      process.stdout.write(`${[...words, ...(replacedBy ? [`replaced by ${replacedBy}`] : [])].join('  ')}\n`)
    }
  },
  async rotate({ keys, note }, { options: { overlap } }, [id = '', ...others]) {
    if (id === '' || others.length > 0) throw new UsageError('Which key? Try: vaak keys rotate ID')
    const hours = overlap === undefined ? usualOverlapHours : wholeNumber('--overlap', overlap, keyLimits.overlapHours)
    const made = await keys.rotate(id, hours)
    if (!made) throw noSuchKey(id)
    await note('rotate', id)
    process.stdout.write(`${made.key}\n`)
  },
  async revoke({ keys, note }, _, ids) {
    if (ids.length === 0) throw new UsageError('Which key? "vaak keys list" shows their ids.')
    for (const id of ids) {
      if (!(await keys.revoke(id))) throw noSuchKey(id)
      await note('revoke', id)
      process.stdout.write(`${id} is revoked.\n`)
    }
  },
}

async function withKeys(config: Config, use: (keys: ApiKeys, note: Note) => Promise<void>): Promise<void> {
  const { openKeysOf } = await import('../identity/open-identity.ts')
  const { openAudit } = await import('../nats/audit/write.ts')
  const { systemClock } = await import('../timing/clock.ts')
  await withRunningBroker(config, 'keys', async (client, log) => {
    const audit = openAudit({ client, clock: systemClock, log })
    const note: Note = (what, id) =>
      audit({ who: 'operator', what: `keys ${what}`, objects: [id], from: '', status: 200 })
    await use(await openKeysOf(config, { client, log }), note)
  })
}

function noSuchKey(id: string): UsageError {
  return new UsageError(`There is no API key ${JSON.stringify(id.slice(0, 40))}.`)
}

function wholeNumber(option: string, given: string | boolean, most: number): number {
  if (typeof given === 'string' && /^\d{1,4}$/.test(given) && Number(given) <= most) return Number(given)
  throw new UsageError(`${option} takes a whole number from 0 to ${most}.`)
}

function readScopes(given: string | boolean): readonly KeyScope[] {
  const words = String(given).split(',')
  const wanted = keyScopes.filter((scope) => words.includes(scope))
  if (wanted.length === words.length) return wanted
  throw new UsageError(`--scopes takes words of ${keyScopes.join(', ')}, separated by commas.`)
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

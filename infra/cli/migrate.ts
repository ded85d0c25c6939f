import { createInterface } from 'node:readline/promises'

import { placeInBroker } from '../nats/topology/differences.ts'
import type { Difference } from '../nats/topology/differences.ts'
import type { Migration } from '../nats/topology/migrate.ts'
import { progressOn } from '../telemetry/progress.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Make the streams of the broker what settings and version ask for.',
  help: `Usage: vaak migrate [--apply] [--yes]

Compares the streams and consumers of the broker with what this version and its settings expect (NATS_REPLICAS,
IDEMPOTENCY_HOURS, ACK_WAIT_MS) and shows what differs. Without options nothing is changed.

  --apply   make the changes, after a question
  --yes     make the changes without a question

Nothing that is stored is lost by more copies or another ACK_WAIT_MS; with less IDEMPOTENCY_HOURS older keys are forgotten.
Streams are changed one by one, and each has all its copies before the next. It may be interrupted and run again.
Consumers of the version before are removed when they are empty; what comes to them later is found all the same.
Start gateways, workers and realtime servers anew with the same settings: those that run keep to the old ones.

Needs the NATS that the service uses: NATS_URL, or a DATA_DIR on which "vaak up" runs or has run.
`,
  options: { apply: { type: 'boolean' }, yes: { type: 'boolean' } },
  async run(given) {
    const { config, options } = given
    const isSure = options['yes'] === true
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream')
    const { withBroker } = await import('./broker.ts')
    const { migrate, planMigration } = await import('../nats/topology/migrate.ts')
    const { plannedTopology } = await import('../nats/topology/planned.ts')
    const { openKnownStores } = await import('../nats/records/known-stores.ts')
    await withBroker(given, { name: 'migrate' }, async (connection) => {
      const manager = await jetstreamManager(connection, patience)
      const plan = plannedTopology(config)
      const migration = await planMigration(manager, plan)
      process.stdout.write(inWords(migration))
      if (migration.impossible.length > 0) throw new UsageError(cannot)
      if (migration.changes.length + migration.missing.length + migration.retired.length === 0) return
      if (!isSure && options['apply'] !== true)
        return void process.stdout.write('Nothing was changed. Make the changes: vaak migrate --apply\n')
      if (!isSure && !(await isAgreed())) return void process.stdout.write('Nothing was changed.\n')
      const progress = progressOn(process.stderr)('migrating')
      let done = 0
      await migrate(manager, { plan, migration }, () => progress.update((done += 1) / migration.changes.length))
      // brings over what the version before kept elsewhere
      await openKnownStores({ connection, js: jetstream(connection, patience), jsm: manager })
      progress.done()
      process.stdout.write('The broker is as expected now. Start what runs on it anew, with the same settings.\n')
    })
  },
}

/** A cluster that is busy takes its time to change a stream and elect who leads it. */
const patience = { timeout: 20_000 }

const cannot =
  'The broker changes some of these on no stream or consumer that exists, and nothing was changed. ' +
  'They were changed by somebody, or belong to another version of Vaak.'

function inWords({ missing, changes, impossible, retired }: Migration): string {
  const lines = [...together(changes), ...together(impossible).map((line) => `${line} — cannot be changed`)]
  if (missing.length > 0) lines.push(`missing: ${shortened(missing)}`)
  if (retired.length > 0)
    lines.push(
      `no longer needed: ${shortened(retired.map(({ stream, name }) => placeInBroker({ stream, consumer: name })))}`,
    )
  return lines.length === 0 ? 'The broker is as expected.\n' : lines.map((line) => `${line}\n`).join('')
}

/** One ACK_WAIT_MS differs in every consumer: one line for all that differ alike. */
function together(differences: readonly Difference[]): string[] {
  const places = new Map<string, string[]>()
  for (const difference of differences) {
    const { setting, found, wanted } = difference
    const change = `${setting}: ${JSON.stringify(found)} → ${JSON.stringify(wanted)}`
    places.set(change, [...(places.get(change) ?? []), placeInBroker(difference)])
  }
  return Array.from(places, ([change, where]) => `${change} in ${shortened(where)}`)
}

const namedMax = 3

function shortened(names: readonly string[]): string {
  const more = names.length - namedMax
  return more > 0 ? `${names.slice(0, namedMax).join(', ')} and ${more} more` : names.join(', ')
}

async function isAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('Nobody is there to be asked. Try: vaak migrate --yes')
  const dialogue = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await dialogue.question('Make these changes? [y/N] ')).trim())
  } finally {
    dialogue.close()
  }
}

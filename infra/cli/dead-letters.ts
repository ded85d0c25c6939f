import type { BrokerClient } from '../nats/records/stores.ts'
import type { DeadLetter } from '../nats/queue/dead-letters.ts'
import { printable } from '../telemetry/printable.ts'
import { UsageError } from './command.ts'
import type { Command, GivenArguments } from './command.ts'
import { withRunningBroker } from './with-broker.ts'

export const deadLettersCommand: Command = {
  name: 'dead-letters',
  summary: 'List, retry and drop messages that could never be handled.',
  help: `Usage: vaak dead-letters list
       vaak dead-letters retry ID… | --all
       vaak dead-letters drop ID… | --all

What can never be handled leaves its queue for good, with the reason: a message that this version does not understand,
a record that would be larger than any may be, or a bug that was met ten times. A file that waited for it has failed
with a sentence; who wants its transcript submits it again. retry gives messages back to the queue that they came from:
it helps when the cause is gone, for example after an upgrade, and changes nothing that has ended. The newest 100,000
are kept, for 90 days. Needs the NATS that the service uses: NATS_URL, or a "vaak up" that runs on this DATA_DIR.

  --all   every dead letter that there is now
`,
  options: { all: { type: 'boolean' } },
  operands: true,
  async run(given) {
    const [verb, ...ids] = given.operands
    const act = verb === undefined ? undefined : verbs[verb]
    if (!act)
      throw new UsageError('Try: vaak dead-letters list, vaak dead-letters retry ID, or vaak dead-letters drop ID')
    await withRunningBroker(given.config, 'dead-letters', (client) => act(client, given, ids))
  },
}

type Verb = (client: BrokerClient, given: GivenArguments, ids: readonly string[]) => Promise<void>

const verbs: Readonly<Record<string, Verb>> = {
  async list(client) {
    const { deadLetters } = await import('../nats/queue/dead-letters.ts')
    let count = 0
    for await (const { id, atMs, stream, subject, deliveries, reason } of deadLetters(client)) {
      count += 1
      const facts = [id, new Date(atMs).toISOString(), stream, subject, `delivered ${deliveries} times`, reason]
      process.stdout.write(`${printable(facts.join('  '))}\n`)
    }
    if (count === 0) process.stdout.write('There are no dead letters.\n')
  },
  async retry(client, given, ids) {
    const { retryDeadLetter } = await import('../nats/queue/dead-letters.ts')
    await forEach(client, { given, ids }, async (letter) => {
      await retryDeadLetter(client, letter)
      return `is back in ${letter.stream}`
    })
  },
  async drop(client, given, ids) {
    const { dropDeadLetter } = await import('../nats/queue/dead-letters.ts')
    await forEach(client, { given, ids }, async ({ id }) => {
      await dropDeadLetter(client, id)
      return 'is dropped'
    })
  },
}

/** Those that are asked for, all of which must be there. */
async function forEach(
  client: BrokerClient,
  { given, ids }: { given: GivenArguments; ids: readonly string[] },
  act: (letter: DeadLetter) => Promise<string>,
): Promise<void> {
  const isAll = given.options['all'] === true
  if (isAll === ids.length > 0) throw new UsageError('Which? "vaak dead-letters list" shows their ids; or --all.')
  const { deadLetters } = await import('../nats/queue/dead-letters.ts')
  const found: DeadLetter[] = []
  for await (const letter of deadLetters(client)) if (isAll || ids.includes(String(letter.id))) found.push(letter)
  const missing = ids.find((id) => !found.some((letter) => String(letter.id) === id))
  if (missing !== undefined) throw new UsageError(`There is no dead letter ${JSON.stringify(missing.slice(0, 40))}.`)
  for (const letter of found) process.stdout.write(`${letter.id} ${await act(letter)}.\n`)
}

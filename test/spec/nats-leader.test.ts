import test from 'ava'

import { leaderInfo } from '../../infra/nats/topology/leader-info.ts'
import { isEstablished } from '../../infra/nats/topology/leader.ts'
import { failureOf } from '../support/tokens.ts'

const nanosPerSecond = 1_000_000_000
const ts = '2026-11-15T12:00:10Z'

function aPeer(heardSecondsAgo: number, offline = false) {
  return { name: 'peer', peer: 'peer', current: true, lag: 0, active: heardSecondsAgo * nanosPerSecond, offline }
}

for (const [what, since, peers, isBelieved] of [
  ['has led for long and hears of both others', '2026-11-15T12:00:00Z', [aPeer(0.5), aPeer(1)], true],
  ['has lost one of the others', '2026-11-15T12:00:00Z', [aPeer(0.5), aPeer(60)], true],
  ['has lost both of the others', '2026-11-15T12:00:00Z', [aPeer(5), aPeer(60)], false],
  ['knows that both others are away', '2026-11-15T12:00:00Z', [aPeer(0, true), aPeer(0, true)], false],
  ['was elected a moment ago', '2026-11-15T12:00:09.5Z', [aPeer(0.1), aPeer(0.1)], false],
] as const)
  test(`a leader that ${what} is ${isBelieved ? '' : 'not '}believed`, (t) => {
    t.is(isEstablished({ ts, cluster: { leader: 'one', leader_since: since, replicas: [...peers] } }), isBelieved)
  })

test('while nobody leads nobody is believed', (t) => {
  t.false(isEstablished({ ts, cluster: { replicas: [aPeer(0.1), aPeer(0.1), aPeer(6)] } }))
})

type Info = Parameters<NonNullable<Parameters<typeof leaderInfo>[1]>>[0]

function anInfo(leaderSince: string, copies: number): Info {
  const cluster = { leader: 'one', leader_since: leaderSince, replicas: [aPeer(0.1), aPeer(0.1)] }
  // as: of all that is said of a stream this is what is looked at
  return { ts, config: { num_replicas: copies }, ...(copies > 1 && { cluster }) } as unknown as Info
}

const elected = anInfo('2026-11-15T12:00:09.5Z', 3)
const settled = anInfo('2026-11-15T12:00:00Z', 3)

test('who asks a leader that was just elected asks again until it can be believed', async (t) => {
  const answers = [elected, elected, settled]
  t.is(await leaderInfo(() => Promise.resolve(answers.shift()!)), settled)
})

test('who asks one that knows less than was known asks again', async (t) => {
  const knowing = { ...settled }
  const answers = [settled, knowing]
  const look = () => Promise.resolve(answers.shift()!)
  t.is(await leaderInfo(look, (info) => info === knowing), knowing)
})

test('while nobody can be believed the broker is away', async (t) => {
  t.like(
    await failureOf(
      t,
      leaderInfo(() => Promise.resolve(elected)),
    ),
    { kind: 'away', code: 'broker_unavailable' },
  )
})

test('of one copy nobody could be behind', async (t) => {
  const alone = anInfo('', 1)
  t.is(await leaderInfo(() => Promise.resolve(alone)), alone)
})

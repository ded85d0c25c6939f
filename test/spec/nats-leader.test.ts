import test from 'ava'

import { isEstablished } from '../../infra/nats/topology/leader.ts'

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

import { randomUUID } from 'node:crypto'

import { readDocument } from '../../fuzz/document.ts'
import { aRequest } from '../../fuzz/request.ts'
import { openWire } from '../../fuzz/wire.ts'
import type { FuzzWire } from '../../fuzz/wire.ts'
import type { FuzzWorld, Person } from '../../fuzz/world.ts'
import { createRandom } from '../../sim/random.ts'
import { apiAt } from '../../support/api.ts'
import { ownerOf } from '../../support/service.ts'
import { hostileAddress } from './attack.ts'
import type { Attack, Target } from './attack.ts'

/** The fuzzer as a tenant: every documented route, proper and not, with ids that are nobody's. */
export async function fuzzAttack(target: Target, seed: number): Promise<Attack> {
  const document = await readDocument(target.url)
  const world = aWorldOf(target)
  const idle: FuzzWire[] = []
  let sent = 0
  return {
    name: 'every documented route, fuzzed',
    lanes: 4,
    async strike() {
      const wire = idle.pop() ?? openWire(target.url, hostileAddress)
      sent += 1
      const request = aRequest({ document, world, random: createRandom(seed, `request ${sent}`) })
      const outcome = await wire.exchange(request.bytes, request)
      idle.push(wire)
      return outcome.kind === 'answered' ? String(outcome.answer.status) : outcome.kind
    },
  }
}

function aWorldOf({ url, token }: Target): FuzzWorld {
  const nobodys = () => ({
    file: [randomUUID()],
    upload: [randomUUID()],
    batch: [randomUUID()],
    key: [randomUUID()],
    resumable: [randomUUID()],
  })
  const person = (name: string): Person => ({
    name,
    owner: ownerOf(name),
    token,
    links: [`share_${'A'.repeat(96)}`],
    api: apiAt(url, token),
    ids: nobodys(),
  })
  return {
    people: [person('hostile'), person('also hostile')],
    voices: ['maya'],
    holderOf: () => undefined,
    learn: () => undefined,
    forget: () => undefined,
    losses: () => Promise.resolve([]),
  }
}

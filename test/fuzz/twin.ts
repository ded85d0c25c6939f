import { randomUUID } from 'node:crypto'

import type { FuzzRequest } from './request.ts'
import type { WireOutcome, FuzzWire } from './wire.ts'
import type { FuzzWorld } from './world.ts'

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** What another user has is, to everybody else, as if it did not exist: same status, same words. */
export async function tellsForeign(
  { request, outcome }: { request: FuzzRequest; outcome: WireOutcome },
  world: FuzzWorld,
  wire: FuzzWire,
): Promise<string[]> {
  const [id] = uuid.exec(request.path) ?? []
  const holder = id === undefined ? undefined : world.holderOf(id)
  if (!id || !holder || !request.caller || holder === request.caller || !request.isWhole) return []
  const missing = randomUUID()
  const bytes = Buffer.from(request.bytes.toString('latin1').replaceAll(id, missing), 'latin1')
  const twin = await wire.exchange(bytes, request)
  const [said, expected] = [plain(outcome, id), plain(twin, missing)]
  return said === expected ? [] : [`another user's id is answered ${said}, and a missing one ${expected}`]
}

function plain(outcome: WireOutcome, id: string): string {
  if (outcome.kind !== 'answered') return outcome.kind
  return `${outcome.answer.status} ${outcome.answer.body.toString().replaceAll(id, 'id')}`
}

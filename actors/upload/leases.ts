import type { GatewayId } from '../ids.ts'
import { isGatewayId } from '../ids.ts'
import type { Clock, Records, Revision, Stored } from '../ports.ts'
import { createSights } from '../sights.ts'
import type { GatewayLease } from './state.ts'

/** This process, as a lease names it. */
export interface Holder {
  readonly name: string
  /** True when it is certain, here, that the process of that name has ended. */
  isGone(name: string): boolean
}

interface LeasePorts {
  readonly leases: Records<GatewayLease>
  readonly holder: Holder
  readonly clock: Clock
}

export interface SeenLease extends Stored<GatewayLease> {
  readonly gatewayId: GatewayId
  /** How long nobody has renewed it, as far as this process knows. */
  readonly ageMs: number
}

/** The leases of this process, and what it sees of others'. Who comes second to a write has not got it: of two takers one wins. */
export interface Leases {
  /** Of a spool that nobody knows yet. */
  create(gatewayId: GatewayId): Promise<boolean>
  take(seen: SeenLease): Promise<boolean>
  /** Nobody works on it, or only somebody who is surely dead. */
  isFree(seen: SeenLease): boolean
  holds(gatewayId: GatewayId): boolean
  /** Writes all that are held once more; resolves with those that somebody else has taken meanwhile. */
  renew(): Promise<readonly GatewayId[]>
  /** Anybody may take it at once. */
  release(gatewayId: GatewayId): Promise<void>
  /** There will be no such spool any more. */
  end(gatewayId: GatewayId): Promise<void>
  read(gatewayId: GatewayId): Promise<SeenLease | undefined>
  /** Those that this process does not hold. */
  others(): Promise<readonly SeenLease[]>
}

export function openLeases({ leases, holder, clock }: LeasePorts): Leases {
  const held = new Map<GatewayId, Revision>()
  const sights = createSights(clock)
  const mine: GatewayLease = { holder: holder.name }

  const note = (gatewayId: GatewayId, written: Revision | 'exists' | 'conflict'): boolean => {
    if (typeof written !== 'number') return false
    held.set(gatewayId, written)
    return true
  }
  const read = async (gatewayId: GatewayId): Promise<SeenLease | undefined> => {
    const stored = await leases.read(gatewayId)
    return stored && { ...stored, gatewayId, ageMs: sights.ageMs(gatewayId, stored.revision) }
  }
  return {
    create: async (gatewayId) => note(gatewayId, await leases.create(gatewayId, mine)),
    take: async ({ gatewayId, revision }) => note(gatewayId, await leases.replace(gatewayId, mine, revision)),
    isFree: ({ value }) => value.holder === undefined || holder.isGone(value.holder),
    holds: (gatewayId) => held.has(gatewayId),
    async renew() {
      const lost: GatewayId[] = []
      for (const [gatewayId, revision] of held) {
        if (note(gatewayId, await leases.replace(gatewayId, mine, revision))) continue
        // a renewal that was taken for failed may have been stored
        const now = await leases.read(gatewayId)
        if (now?.value.holder === holder.name) {
          held.set(gatewayId, now.revision)
          continue
        }
        // or it was given up here meanwhile
        if (held.delete(gatewayId)) lost.push(gatewayId)
      }
      return lost
    },
    async release(gatewayId) {
      const revision = held.get(gatewayId)
      held.delete(gatewayId)
      if (revision !== undefined) await leases.replace(gatewayId, {}, revision)
    },
    async end(gatewayId) {
      held.delete(gatewayId)
      await leases.remove(gatewayId)
    },
    read,
    async others() {
      const ids = (await leases.keys()).filter(isGatewayId).filter((gatewayId) => !held.has(gatewayId))
      sights.keepOnly(new Set(ids))
      const found = await Promise.all(ids.map(read))
      return found.filter((lease) => lease !== undefined)
    },
  }
}

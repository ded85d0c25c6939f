import type { Clock, Records } from '../ports.ts'
import { createSights } from '../sights.ts'

/** Whose turn it is to look after what all share. */
export interface LeaseRecord {
  readonly holder: string
}

export interface Lease {
  /** Takes or renews it; false while another has it. */
  hold(): Promise<boolean>
  /** Gives it to whoever comes next, instead of making them wait. */
  release(): Promise<void>
}

interface LeaseOptions {
  readonly key: string
  readonly holder: string
  /** Several times as long as its holder takes between two renewals. */
  readonly leaseMs: number
}

/**
 * One of many does what all could, and it spares work, nothing more: what is done under it must be harmless when two do it. Who does not
 * have it takes it over when it was not renewed for so long by their own clock, which only goes forward: clocks are not compared (I11).
 */
export function createLease(
  { leases, clock }: { readonly leases: Records<LeaseRecord>; readonly clock: Clock },
  { key, holder, leaseMs }: LeaseOptions,
): Lease {
  const sights = createSights(clock)
  return {
    async hold() {
      const stored = await leases.read(key)
      if (!stored) return (await leases.create(key, { holder })) !== 'exists'
      const { value, revision } = stored
      if (value.holder !== holder && sights.ageMs(key, revision) < leaseMs) return false
      return (await leases.replace(key, { holder }, revision)) !== 'conflict'
    },
    async release() {
      if ((await leases.read(key))?.value.holder === holder) await leases.erase(key)
    },
  }
}

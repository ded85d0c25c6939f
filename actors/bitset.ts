/**
 * A set of small integers as it is stored: one bit each, in base64. Counting with sets cannot count twice: who comes
 * again sets the same bit (I3).
 */
export type Bitset = string & { readonly __set: 'bits' }

// as: only this file makes them
export const emptySet = '' as Bitset

export function has(set: Bitset, member: number): boolean {
  if (set === emptySet) return false
  const bytes = Buffer.from(set, 'base64')
  return ((bytes[member >> 3] ?? 0) & (1 << (member & 7))) !== 0
}

/** The same string comes back when all were in it already. */
export function add(set: Bitset, ...added: readonly number[]): Bitset {
  const before = Buffer.from(set, 'base64')
  const needed = added.reduce((most, member) => Math.max(most, (member >> 3) + 1), before.length)
  const bytes = Buffer.alloc(needed)
  before.copy(bytes)
  for (const member of added) bytes[member >> 3]! |= 1 << (member & 7)
  return bytes.equals(before) ? set : (bytes.toString('base64') as Bitset) // as: made here
}

export function size(set: Bitset): number {
  if (set === emptySet) return 0
  let count = 0
  for (const byte of Buffer.from(set, 'base64')) count += ones(byte)
  return count
}

/** In ascending order. */
export function members(set: Bitset): number[] {
  if (set === emptySet) return []
  const found: number[] = []
  for (const [at, byte] of Buffer.from(set, 'base64').entries())
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) found.push(at * 8 + bit)
  return found
}

export function union(...sets: readonly Bitset[]): Bitset {
  const [only = emptySet, ...others] = sets.filter((set) => set !== emptySet)
  if (others.length === 0) return only
  const all = [only, ...others].map((set) => Buffer.from(set, 'base64'))
  const bytes = Buffer.alloc(Math.max(0, ...all.map(({ length }) => length)))
  for (const one of all) for (const [at, byte] of one.entries()) bytes[at]! |= byte
  return bytes.toString('base64') as Bitset // as: made here
}

/** What is in the first and not in the second. */
export function minus(set: Bitset, other: Bitset): Bitset {
  if (set === emptySet || other === emptySet) return set
  const bytes = Buffer.from(set, 'base64')
  for (const [at, byte] of Buffer.from(other, 'base64').entries()) if (at < bytes.length) bytes[at]! &= ~byte
  return bytes.toString('base64') as Bitset // as: made here
}

/** Those below `limit` that are in none of the sets, in ascending order. */
export function missing(limit: number, ...sets: readonly Bitset[]): number[] {
  const bytes = Buffer.from(union(...sets), 'base64')
  const found: number[] = []
  for (let member = 0; member < limit; member += 1)
    if (((bytes[member >> 3] ?? 0) & (1 << (member & 7))) === 0) found.push(member)
  return found
}

function ones(byte: number): number {
  let count = 0
  for (let rest = byte; rest !== 0; rest &= rest - 1) count += 1
  return count
}

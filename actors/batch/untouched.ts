import { emptySet } from '../bitset.ts'

/** How far a batch is that nobody has begun. */
export const untouched = {
  issued: 0,
  started: emptySet,
  completed: emptySet,
  partial: emptySet,
  failed: emptySet,
  gone: emptySet,
  chunks: [],
  settledSeconds: 0,
  settledEstimate: 0,
} as const

import type { Records } from '../ports.ts'
import { expiryKey } from '../retention/state.ts'
import type { Expiry, RetainedKind } from '../retention/state.ts'
import type { BatchState } from './state.ts'

const kinds: readonly RetainedKind[] = ['audio', 'results', 'records']

/** From now on its time runs: what a batch wished for itself is written down when it has ended. */
export async function enterExpiries(expiries: Records<Expiry>, { owner, batchId, retain }: BatchState): Promise<void> {
  for (const kind of kinds) {
    const days = retain?.[kind]
    if (days !== undefined) await expiries.create(expiryKey({ batchId, kind }), { owner, batchId, kind, days })
  }
}

/** It is deleted: nothing of it is left to end. */
export async function leaveExpiries(
  expiries: Records<Expiry>,
  { batchId }: Pick<BatchState, 'batchId'>,
): Promise<void> {
  await Promise.all(kinds.map((kind) => expiries.erase(expiryKey({ batchId, kind }))))
}

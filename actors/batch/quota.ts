import { commit } from '../commit.ts'
import type { Records } from '../ports.ts'
import type { OpenBatch, Quota } from './state.ts'

/** Releasing what is not reserved changes nothing, so it may be done twice (I13). */
export async function releaseQuota(quotas: Records<Quota>, { owner, batchId }: OpenBatch): Promise<void> {
  await commit(quotas, owner, (quota) => {
    if (!(batchId in quota.reserved)) return { state: quota, effects: [] }
    const { [batchId]: _released, ...reserved } = quota.reserved
    return { state: { reserved }, effects: [] }
  })
}

import { FailureError } from '../../actors/failure.ts'
import type { Owner } from '../../actors/ids.ts'
import type { OwnerHoldings } from '../../actors/listing/ports.ts'

/** What a user may keep here, on all machines together. 0 means no such limit. */
interface StoredLimits {
  readonly files: number
  readonly bytes: number
}

export interface StoredQuota {
  /**
   * Rejects when there would be too much. It is judged by what is listed: uploads of one user that end at the same moment may each
   * have the last room, and a user's share of uploads is how many those are.
   */
  admit(owner: Owner, more: StoredLimits): Promise<void>
}

/** Waiting does not help, deleting does. */
const comeBackSeconds = 60

export function openStoredQuota(listing: OwnerHoldings, limits: StoredLimits): StoredQuota {
  return {
    async admit(owner, more) {
      if (limits.files === 0 && limits.bytes === 0) return
      const { count, sizeBytes } = await listing.held(owner)
      if (limits.files > 0 && count + more.files > limits.files)
        throw refused(`${count + more.files} files; your quota is ${limits.files} files`)
      if (limits.bytes > 0 && sizeBytes + more.bytes > limits.bytes)
        throw refused(`${sizeBytes + more.bytes} bytes; your quota is ${limits.bytes} bytes`)
    },
  }
}

function refused(what: string): FailureError {
  return new FailureError({
    kind: 'retryable',
    code: 'quota_exceeded',
    detail: `With this upload you would have stored ${what}. Delete what you need no more.`,
    retryAfterSeconds: comeBackSeconds,
  })
}

import type { BatchId } from '../ids.ts'

/**
 * What one user's open batches take of the quota: sets, so that nothing is given back twice (I13). The newest are in the user's
 * own record, where they are admitted; the others are in pages of the same form, and the record has what each comes to.
 */
export interface Quota {
  /** By batch; what a file has beyond what its header told, by batch and the file's place in it. */
  readonly reserved: Readonly<Record<ShareKey, QuotaShare>>
  /** By the number of the page. */
  readonly pages?: Readonly<Record<number, QuotaPageTotal>>
}

export type ShareKey = BatchId | `${BatchId}.${number}`

export interface QuotaShare {
  readonly files: number
  readonly seconds: number
}

export interface QuotaPageTotal extends QuotaShare {
  /** Of the page that was added up: an older sum never replaces a newer one. */
  readonly revision: number
}

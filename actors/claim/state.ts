import type { BatchId, UploadId } from '../ids.ts'

/** What is known of an idempotency key. `free`: its upload was withdrawn, and may be repeated; of one that was refused nothing is kept. */
export type Claim =
  | { readonly state: 'free' }
  | { readonly state: 'running'; readonly id: ClaimedId; readonly gatewayId: string; readonly bootId: string }
  | {
      readonly state: 'answered'
      readonly id: ClaimedId
      readonly fingerprint: string
      readonly status: number
      readonly body: object
    }

/** What the request that holds the key is to make. */
export type ClaimedId = UploadId | BatchId

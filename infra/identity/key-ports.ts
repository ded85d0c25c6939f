import type { Clock, Records } from '../../actors/ports.ts'
import type { KeyClaims } from './key-place.ts'
import type { KeySeal } from './key-seal.ts'
import type { KeyUses } from './key-use.ts'
import type { KeptForOwner, StoredKey } from './stored-key.ts'

/** What seeing to API keys needs. */
export interface KeyPorts {
  readonly records: Records<StoredKey>
  readonly kept: Records<KeptForOwner>
  readonly claims: Records<KeyClaims>
  readonly uses: KeyUses
  readonly seal: KeySeal
  /** Whether records from before there was a seal get one when their keys are used: who may not write keys leaves it. */
  readonly reseals: boolean
  /** Whose users the keys are for: the same as that of the tokens, so that both own the same things. */
  readonly issuer: string
  /** How long a key works when nobody says; 0 until it is revoked. */
  readonly usualDays: number
  readonly clock: Pick<Clock, 'nowMs'>
}

import { terminal } from '../../actors/failure.ts'
import type { Caller, KeyScope, MadeKey } from '../../actors/identity.ts'
import type { Owner } from '../../actors/ids.ts'
import { endFor } from './key-grant.ts'
import { claimPlace } from './key-place.ts'
import type { KeyPorts } from './key-ports.ts'
import type { KeyDraft } from './key-seal.ts'
import { principalOf } from './principal.ts'
import { findKeys, ownIdsOf } from './read-keys.ts'
import { keptKey, keyText, newSecret, ownKey, recordKey } from './stored-key.ts'

export interface NewKey {
  readonly user: string
  readonly label: string
  /** 0: until it is revoked. */
  readonly days?: number
  readonly scopes?: readonly KeyScope[]
}

const msPerDay = 86_400_000
/** That a user makes for himself. */
export const ownKeysMax = 50

export function draftOf({ issuer, clock, usualDays }: KeyPorts, wanted: NewKey, by?: Caller): KeyDraft {
  const { user, label, scopes, days = usualDays } = wanted
  const createdAtMs = clock.nowMs()
  const untilMs = endFor(by, days === 0 ? undefined : createdAtMs + days * msPerDay)
  return {
    issuer,
    user,
    label,
    createdAtMs,
    ...(untilMs !== undefined && { untilMs }),
    ...(scopes && { scopes }),
    ...(by?.keyId !== undefined && { madeBy: by.keyId }),
  }
}

/** First that the user has it: a key that nobody could find to revoke it would be worse than an entry without one. */
export async function storeKey({ records, kept, seal }: KeyPorts, id: string, draft: KeyDraft): Promise<MadeKey> {
  const secret = newSecret()
  const stored = seal.made(id, draft, secret)
  await kept.create(keptKey(principalOf(draft.issuer, draft.user).owner, id), { keyId: id })
  if ((await records.create(recordKey(id), stored)) === 'exists') throw new Error('two API keys drew the same id')
  return { ...ownKey(id, stored), key: keyText(id, secret) }
}

export async function claimOrRefuse(
  ports: KeyPorts,
  claim: { readonly owner: Owner; readonly keyId: string; readonly most: number },
): Promise<void> {
  const { claims } = ports
  const ownIds = async () => new Set((await findKeys(ports, await ownIdsOf(ports, claim.owner))).keys())
  if (!(await claimPlace({ claims, ownIds }, claim)))
    throw terminal('conflict', `You have ${claim.most} API keys, which is the limit. Revoke one that is not used.`)
}

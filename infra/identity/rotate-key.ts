import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import type { Caller, MadeKey } from '../../actors/identity.ts'
import type { Owner } from '../../actors/ids.ts'
import { endFor } from './key-grant.ts'
import type { KeyPorts } from './key-ports.ts'
import type { KeyDraft } from './key-seal.ts'
import { claimOrRefuse, ownKeysMax, storeKey } from './make-key.ts'
import { readOurs } from './read-keys.ts'
import { hasEnded, keptKey, newKeyId, recordKey } from './stored-key.ts'
import type { StoredKey } from './stored-key.ts'

interface Rotation {
  readonly owner: Owner
  readonly id: string
  readonly overlapHours: number
  readonly by?: Caller | undefined
}

const msPerHour = 3_600_000
/** With those that go on for a while beside the ones in their place. */
const withReplacedMax = 2 * ownKeysMax

/**
 * First the new key, then the end of the old: whoever dies between them leaves two keys that work, not one that nobody
 * has. Of two who rotate the same key one is told so, and what it made is gone.
 */
export async function rotateKey(ports: KeyPorts, rotation: Rotation): Promise<MadeKey | undefined> {
  const { records, kept, clock, seal } = ports
  const { owner, id, overlapHours } = rotation
  const first = await readOurs(ports, id)
  if (!first) return undefined
  const nowMs = clock.nowMs()
  if (hasEnded(first.value, nowMs)) throw terminal('conflict', 'This API key has expired. Make a new one.')
  if (first.value.replacedBy !== undefined) throw replacedAlready(first.value.replacedBy)
  const keyId = newKeyId()
  await claimOrRefuse(ports, { owner, keyId, most: withReplacedMax })
  const made = await storeKey(ports, keyId, successorOf(first.value, nowMs, rotation.by))
  const endMs = nowMs + overlapHours * msPerHour
  const replaced = { ...first.value, replacedBy: keyId, untilMs: Math.min(first.value.untilMs ?? Infinity, endMs) }
  const resealed = seal.changed(id, replaced)
  if ((await records.replace(recordKey(id), resealed, first.revision)) !== 'conflict') return made
  await records.remove(recordKey(keyId))
  await kept.remove(keptKey(owner, keyId))
  throw terminal('conflict', 'This API key was rotated or revoked at the same time. List your keys.')
}

/** For the same, and for as long as the old one was made for. */
function successorOf(old: StoredKey, nowMs: number, by: Caller | undefined): KeyDraft {
  const { issuer, user, label, scopes, untilMs, madeBy } = old
  const endMs = endFor(by, untilMs === undefined ? undefined : nowMs + (untilMs - old.createdAtMs))
  const maker = by?.keyId ?? madeBy
  return {
    issuer,
    user,
    label,
    createdAtMs: nowMs,
    ...(scopes && { scopes }),
    ...(endMs !== undefined && { untilMs: endMs }),
    ...(maker !== undefined && { madeBy: maker }),
  }
}

function replacedAlready(by: string): FailureError {
  return terminal('conflict', `This API key was replaced by ${by} already. Rotate that one.`)
}

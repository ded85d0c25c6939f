import { terminal } from '../../actors/failure.ts'
import type { Identify, MadeKey, OwnKey, OwnKeys } from '../../actors/identity.ts'
import type { Owner } from '../../actors/ids.ts'
import type { Records, Stored } from '../../actors/ports.ts'
import { scopesFor } from './key-grant.ts'
import type { KeyPorts } from './key-ports.ts'
import { openKeySeal } from './key-seal.ts'
import type { KeySecret } from './key-seal.ts'
import { openKeyUses } from './key-use.ts'
import type { KeyUse } from './key-use.ts'
import { openTurns } from './key-turns.ts'
import { claimOrRefuse, draftOf, ownKeysMax, storeKey } from './make-key.ts'
import type { NewKey } from './make-key.ts'
import { principalOf } from './principal.ts'
import { findKeys, ownIdsOf, readOurs } from './read-keys.ts'
import { rotateKey } from './rotate-key.ts'
import { hasEnded, isKeyId, keptKey, newKeyId, ownKey } from './stored-key.ts'
import { readKeyText, recordKey, scopesOf } from './stored-key.ts'
import type { KeyParts, StoredKey } from './stored-key.ts'

interface ListedKey extends OwnKey {
  readonly user: string
}

export interface ApiKeys extends OwnKeys {
  readonly identify: Identify
  /** Resolves with the key, which nobody can read again. */
  create(input: NewKey): Promise<MadeKey>
  /** Nothing when there is no such key. */
  rotate(id: string, overlapHours: number): Promise<MadeKey | undefined>
  list(): Promise<readonly ListedKey[]>
  /** False when there is no such key. */
  revoke(id: string): Promise<boolean>
  /** Those of the ids whose keys are no more: revoked, or past their end. */
  readonly revoked: (ids: readonly string[]) => Promise<readonly string[]>
}

type ApiKeysOptions = Omit<KeyPorts, 'uses' | 'seal'> & {
  readonly uses: Records<KeyUse>
  readonly secret: KeySecret | undefined
}

export function openApiKeys(options: ApiKeysOptions): ApiKeys {
  const seal = openKeySeal(options.secret)
  const ports: KeyPorts = { ...options, seal, uses: openKeyUses(options.uses, options.clock) }
  const inTurn = openTurns()
  return {
    listOf: async (owner) => listed(ports, await ownIdsOf(ports, owner), ownKey),
    async make({ principal, by, scopes, ...wanted }) {
      const draft = draftOf(ports, { ...wanted, user: principal.subject, scopes: scopesFor(by, scopes) }, by)
      const keyId = newKeyId()
      return inTurn(principal.owner, async () => {
        await claimOrRefuse(ports, { owner: principal.owner, keyId, most: ownKeysMax })
        return storeKey(ports, keyId, draft)
      })
    },
    async rotateOf(owner, { id, overlapHours, by }) {
      const old = (await isOf(ports, owner, id)) ? await readOurs(ports, id) : undefined
      if (!old) return undefined
      scopesFor(by, scopesOf(old.value))
      return rotateKey(ports, { owner, id, overlapHours, by })
    },
    async revokeOf(owner, id) {
      if (!(await isOf(ports, owner, id))) return false
      await revoke(ports, owner, id)
      return true
    },
    identify: (credential) => identify(ports, credential),
    create: (wanted) => storeKey(ports, newKeyId(), draftOf(ports, { ...wanted, user: wanted.user.normalize('NFC') })),
    async rotate(id, overlapHours) {
      const owner = await ownerOf(ports, id)
      return owner && rotateKey(ports, { owner, id, overlapHours })
    },
    async list() {
      const ids = [...(await ports.records.readUnder('key')).keys()].map((key) => key.slice('key.'.length))
      return listed(ports, ids, (id, stored, lastUsedAtMs) => ({
        ...ownKey(id, stored, lastUsedAtMs),
        user: stored.user,
      }))
    },
    async revoke(id) {
      const owner = await ownerOf(ports, id)
      if (owner) await revoke(ports, owner, id)
      return owner !== undefined
    },
    async revoked(ids) {
      const found = await findKeys(ports, ids)
      const nowMs = ports.clock.nowMs()
      const gone: string[] = []
      for (const id of ids) {
        const stored = found.get(id)
        if (!stored || hasEnded(stored, nowMs) || !(await isOurs(ports, id, stored))) gone.push(id)
      }
      return gone
    },
  }
}

async function identify(ports: KeyPorts, credential: string): ReturnType<Identify> {
  const { clock, uses, seal } = ports
  const given = readKeyText(credential)
  if (!given) throw terminal('unauthenticated', 'The API key is incomplete: keys look like vaak_<id>_<secret>.')
  const found = await readOurs(ports, given.id)
  if (!found || !seal.matches(found.value, given.secret))
    throw terminal('unauthenticated', 'The API key is not known, or was revoked.')
  const { untilMs, user, issuer } = found.value
  if (hasEnded(found.value, clock.nowMs()))
    throw terminal('unauthenticated', 'The API key has expired. Ask for a new one.')
  uses.note(given.id)
  if (!found.isSealed && ports.reseals) reseal(ports, given, found)
  return {
    principal: principalOf(issuer, user),
    keyId: given.id,
    scopes: scopesOf(found.value),
    ...(untilMs !== undefined && { untilMs }),
  }
}

/** In the background, and at the next use if it fails now: the old record is as good as it was. */
function reseal({ records, seal }: KeyPorts, { id, secret }: KeyParts, { value, revision }: Stored<StoredKey>): void {
  const { sha256: _, ...rest } = value
  void records.replace(recordKey(id), seal.made(id, rest, secret), revision).catch(() => undefined)
}

/** The oldest first. */
async function listed<Shown extends OwnKey>(
  ports: KeyPorts,
  ids: readonly string[],
  show: (id: string, stored: StoredKey, lastUsedAtMs: number | undefined) => Shown,
): Promise<Shown[]> {
  const [found, lastUses] = [await ports.records.readMany(ids.map(recordKey)), await ports.uses.lastOf(ids)]
  return ids
    .flatMap((id) => {
      const stored = found.get(recordKey(id))
      return stored ? [show(id, stored, lastUses.get(id))] : []
    })
    .sort((one, other) => one.createdAtMs - other.createdAtMs)
}

/** With the keys that were made with it, and those that were made with them. */
async function revoke(ports: KeyPorts, owner: Owner, id: string): Promise<void> {
  await ports.records.remove(recordKey(id))
  await ports.kept.remove(keptKey(owner, id))
  await ports.uses.forget(id)
  const others = await findKeys(ports, await ownIdsOf(ports, owner))
  for (const [other, { madeBy }] of others) if (madeBy === id) await revoke(ports, owner, other)
}

/** When it was stored is asked only of one without a seal: it may be old. */
async function isOurs(ports: KeyPorts, id: string, stored: StoredKey): Promise<boolean> {
  return ports.seal.isSealed(id, stored) || (await readOurs(ports, id)) !== undefined
}

/** Also of a record that somebody else made: it may be removed. */
async function ownerOf({ records }: KeyPorts, id: string): Promise<Owner | undefined> {
  const value = isKeyId(id) ? (await records.read(recordKey(id)))?.value : undefined
  return value && principalOf(value.issuer, value.user).owner
}

/** The entry alone proves nothing: it has no seal. */
async function isOf(ports: KeyPorts, owner: Owner, id: string): Promise<boolean> {
  if (!isKeyId(id) || !(await ports.kept.read(keptKey(owner, id)))) return false
  return ((await ownerOf(ports, id)) ?? owner) === owner
}

import { createHash } from 'node:crypto'

import { terminal } from '../failure.ts'
import type { FailureError } from '../failure.ts'
import { isVocabularyId, ownerVocabulariesFolder, versionInKey, vocabularyFolder, vocabularyKey } from '../ids.ts'
import type { Owner, VocabularyId } from '../ids.ts'
import type { Blobs, Clock } from '../ports.ts'
import { readStoredJson } from '../stored-json.ts'
import type { ChangeVocabulary, Vocabularies, VocabularyContent, VocabularyPlace } from './ports.ts'
import { charactersIn, vocabularyLimits } from './state.ts'
import type { StoredVocabulary, VocabularyEntry } from './state.ts'

interface VocabularyPorts {
  readonly blobs: Pick<Blobs, 'open' | 'put' | 'list' | 'remove' | 'removeAll'>
  readonly clock: Pick<Clock, 'nowMs'>
  nextVocabularyId(): VocabularyId
}

/** Who deletes looks again so often for what others have just made. */
const removalsMax = 10

/**
 * A version is an object that is created once, under its number, as edits are: of two who change the same version only one
 * creates the next.
 */
export function openVocabularies(ports: VocabularyPorts): Vocabularies {
  return {
    create: (owner, content) => create(ports, owner, content),
    async list(owner) {
      const newest = [...(await versionsOf(ports, ownerVocabulariesFolder(owner)))]
      const found = await Promise.all(
        newest.map(([id, versions]) => readVersion(ports, { owner, id }, versions.at(-1)!)),
      )
      return found.flatMap((one) => one ?? [])
    },
    read: (place, version) => read(ports, place, version),
    change: (place, version, change) => changeVocabulary(ports, { place, version, change }),
    remove: (place) => remove(ports, place),
  }
}

async function create(ports: VocabularyPorts, owner: Owner, content: VocabularyContent): Promise<StoredVocabulary> {
  refuseTooMuch(content)
  const folder = ownerVocabulariesFolder(owner)
  if ((await versionsOf(ports, folder)).size >= vocabularyLimits.perUser) throw tooMany()
  const place = { owner, id: ports.nextVocabularyId() }
  const made = versionFrom(ports, { id: place.id, version: 1 }, content)
  await put(ports, place, made)
  // two who came at once saw the same room: both look again
  if ((await versionsOf(ports, folder)).size > vocabularyLimits.perUser) {
    await remove(ports, place)
    throw tooMany()
  }
  return made
}

async function read(
  ports: VocabularyPorts,
  place: VocabularyPlace,
  version?: number,
): Promise<StoredVocabulary | undefined> {
  if (version !== undefined) return readVersion(ports, place, version)
  const newest = (await versionsOfOne(ports, place)).at(-1)
  return newest === undefined ? undefined : readVersion(ports, place, newest)
}

interface Changing {
  readonly place: VocabularyPlace
  readonly version: number
  readonly change: ChangeVocabulary
}

async function changeVocabulary(
  ports: VocabularyPorts,
  { place, version, change }: Changing,
): Promise<StoredVocabulary | undefined> {
  const before = await read(ports, place)
  if (!before) return undefined
  if (before.version !== version) throw outdated(version, before.version)
  const content = change(before)
  refuseTooMuch(content)
  const next = versionFrom(ports, { id: place.id, version: version + 1 }, content)
  if ((await put(ports, place, next)) === 'exists') throw outdated(version, next.version)
  const versions = await versionsOfOne(ports, place)
  // who deleted it meanwhile took away the one before, and is not undone
  if (!versions.includes(version)) {
    await ports.blobs.remove(vocabularyKey(place, next.version))
    return undefined
  }
  for (const old of versions)
    if (old <= next.version - vocabularyLimits.versionsKept) await ports.blobs.remove(vocabularyKey(place, old))
  return next
}

/** Until there is nothing left: a version that was made meanwhile goes as well. */
async function remove({ blobs }: VocabularyPorts, place: VocabularyPlace): Promise<boolean> {
  let rounds = 0
  while (rounds < removalsMax && (await blobs.removeAll(vocabularyFolder(place))) > 0) rounds += 1
  return rounds > 0
}

function put(ports: VocabularyPorts, place: VocabularyPlace, made: StoredVocabulary): Promise<'stored' | 'exists'> {
  const bytes = Buffer.from(JSON.stringify(made))
  return ports.blobs.put(vocabularyKey(place, made.version), { bytes }, { ifAbsent: true })
}

function versionFrom(
  { clock }: VocabularyPorts,
  which: Pick<StoredVocabulary, 'id' | 'version'>,
  { name, entries }: VocabularyContent,
): StoredVocabulary {
  return { ...which, name, atMs: clock.nowMs(), sha256: digestOf(entries), entries }
}

function digestOf(entries: readonly VocabularyEntry[]): string {
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex')
}

function readVersion(
  { blobs }: VocabularyPorts,
  place: VocabularyPlace,
  version: number,
): Promise<StoredVocabulary | undefined> {
  return readStoredJson<StoredVocabulary>(blobs, vocabularyKey(place, version))
}

async function versionsOfOne(ports: VocabularyPorts, place: VocabularyPlace): Promise<readonly number[]> {
  return (await versionsOf(ports, vocabularyFolder(place))).get(place.id) ?? []
}

/** By vocabulary, each in order. Ids begin with the time when they were made, and keys are listed in their order. */
async function versionsOf({ blobs }: VocabularyPorts, folder: string): Promise<Map<VocabularyId, number[]>> {
  const versions = new Map<VocabularyId, number[]>()
  for await (const { key } of blobs.list(folder)) {
    const [id = '', version] = [key.split('/').at(-2), versionInKey(key)]
    if (!isVocabularyId(id) || version === undefined) continue
    versions.set(
      id,
      [...(versions.get(id) ?? []), version].sort((one, other) => one - other),
    )
  }
  return versions
}

function refuseTooMuch({ entries }: VocabularyContent): void {
  if (entries.length > vocabularyLimits.entries)
    throw terminal(
      'invalid_request',
      `The vocabulary would have ${entries.length} entries, and the limit is ${vocabularyLimits.entries}.`,
    )
  const characters = entries.reduce((sum, entry) => sum + charactersIn(entry), 0)
  if (characters > vocabularyLimits.allCharacters)
    throw terminal(
      'invalid_request',
      `The entries have ${characters} characters together, and the limit is ${vocabularyLimits.allCharacters}.`,
    )
}

function outdated(seen: number, newest: number): FailureError {
  return terminal(
    'conflict',
    `This was made for version ${seen}, and the vocabulary is at version ${newest}: it was changed meanwhile. Read it again, and make the change there.`,
  )
}

function tooMany(): FailureError {
  return terminal(
    'conflict',
    `You have ${vocabularyLimits.perUser} vocabularies, which is the limit. Delete one that is not used.`,
  )
}

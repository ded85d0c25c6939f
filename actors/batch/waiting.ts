import type { FileId, Owner } from '../ids.ts'
import type { Records } from '../ports.ts'
import { firstIndexOf, membersPerPage, openKey } from './state.ts'
import type { Member, Members, OpenBatch, WaitingBatch } from './state.ts'

export interface WaitingPorts {
  readonly open: Records<OpenBatch>
  readonly waiting: Records<WaitingBatch>
}

/** Enters an open batch whose entry has its stretches. */
export async function enterWaiting(
  { waiting }: Pick<WaitingPorts, 'waiting'>,
  { owner, batchId }: OpenBatch,
  pages: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  await Promise.all(
    [...pages].map(([stretch, at]) =>
      waiting.create(waitingKey({ owner, batchId }, stretch), { owner, batchId, pages: at }),
    ),
  )
}

/** The open entry goes last: while it is there the sweeper comes back for the rest. */
export async function leaveOpen(ports: WaitingPorts, batch: OpenBatch): Promise<void> {
  const stretches = batch.stretches ?? (await ports.open.read(openKey(batch)))?.value.stretches ?? []
  await Promise.all(stretches.map((stretch) => ports.waiting.erase(waitingKey(batch, stretch))))
  await ports.open.erase(openKey(batch))
}

/** Those that have files of the same stretch as this one. Read strongly: what a deletion does not see it does not delete. */
export async function batchesAround(
  { waiting }: Pick<WaitingPorts, 'waiting'>,
  owner: Owner,
  fileId: FileId,
): Promise<WaitingBatch[]> {
  return [...(await waiting.readUnder(`${owner}.${stretchOf(fileId)}`)).values()]
}

/** The same for many files, for pages that people look at. */
export async function batchesAroundAll(
  { waiting }: Pick<WaitingPorts, 'waiting'>,
  owner: Owner,
  fileIds: readonly FileId[],
): Promise<WaitingBatch[]> {
  const stretches = new Set(fileIds.map(stretchOf))
  return [...(await waiting.readManyUnder([...stretches].map((stretch) => `${owner}.${stretch}`))).values()]
}

/** By stretch, the pages that have files of it. */
export function pagesByStretch(members: readonly (Pick<Member, 'fileId'> | null)[]): Map<string, readonly number[]> {
  const pages = new Map<string, Set<number>>()
  for (const [index, member] of members.entries()) {
    if (!member) continue
    const stretch = stretchOf(member.fileId)
    pages.set(stretch, (pages.get(stretch) ?? new Set()).add(Math.floor(index / membersPerPage)))
  }
  return new Map([...pages].map(([stretch, at]) => [stretch, [...at]]))
}

/** A batch that the version before accepted has no entry yet. */
export async function enterLate(
  ports: WaitingPorts & { readonly members: Records<Members> },
  batch: OpenBatch,
): Promise<void> {
  const stored = await ports.open.read(openKey(batch))
  if (!stored || stored.value.stretches) return
  const found = await ports.members.readUnder(batch.batchId)
  const files: (Member | null)[] = []
  for (const [key, page] of found)
    for (const [at, member] of page.files.entries()) files[firstIndexOf(key) + at] = member
  const pages = pagesByStretch(Array.from(files, (member) => member ?? null))
  await enterWaiting(ports, batch, pages)
  await ports.open.replace(openKey(batch), { ...stored.value, stretches: [...pages.keys()] }, stored.revision)
}

function waitingKey({ owner, batchId }: OpenBatch, stretch: string): string {
  return `${owner}.${stretch}.${batchId}`
}

/** The first nine digits of the time in an id: some four seconds. */
function stretchOf(fileId: FileId): string {
  return fileId.slice(0, 8) + fileId.slice(9, 10)
}

import { join } from 'node:path'

import type { Owner } from '../../actors/ids.ts'
import { openDevelopmentIssuer } from '../../infra/identity/development-issuer.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import type { BenchService } from '../bench/service.ts'
import { apiAt, uploadForm } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { batchesIn } from '../support/batches.ts'
import type { LaidFile } from '../support/batches.ts'
import { eventually } from '../support/eventually.ts'
import { aWav } from '../support/media.ts'
import { beginByHand } from '../support/resumable.ts'
import { ownerOf } from '../support/service.ts'

/** Two users with data each, who are to know nothing of one another. */
export interface FuzzWorld {
  readonly people: readonly Person[]
  /** Names of voices, which are everybody's. */
  readonly voices: readonly string[]
  /** Whose thing this is, as far as anybody knows. */
  holderOf(id: string): Person | undefined
  learn(person: Person, kind: Kind, ids: readonly string[]): void
  /** What a person then said is no longer theirs to miss. */
  forget(ids: readonly string[]): void
  /** What was there at first and nobody deleted is still there, and the same; otherwise, what is not. */
  losses(): Promise<readonly string[]>
}

export interface Person {
  readonly name: string
  readonly owner: Owner
  readonly token: string
  /** Share links to what is theirs. */
  readonly links: string[]
  readonly api: Api
  readonly ids: Readonly<Record<Kind, string[]>>
}

export type Kind = 'file' | 'upload' | 'batch' | 'key' | 'resumable'

/** Ids that are kept to be used again; older ones make room. */
const keptIds = 200
const names = ['asha', 'bela']

export async function openWorld(service: BenchService): Promise<FuzzWorld> {
  const people = await Promise.all(names.map((name) => aPerson(service, name)))
  const holders = new Map<string, Person>()
  const forgotten = new Set<string>()
  const learn: FuzzWorld['learn'] = (person, kind, ids) => {
    for (const id of ids) holders.set(id, person)
    person.ids[kind].push(...ids)
    person.ids[kind].splice(0, person.ids[kind].length - keptIds)
  }
  for (const person of people) await settle(service, person, learn)
  const places = people.flatMap((person) => person.ids.batch.map((batchId) => ({ person, batchId })))
  const atFirst = await resultsAt(places)
  const { body: voices } = await people[0]!.api.get('/v1/voices')
  return {
    people,
    voices: voices.data.map(({ id }: { id: string }) => id),
    holderOf: (id) => holders.get(id),
    learn,
    forget: (ids) => ids.forEach((id) => forgotten.add(id)),
    async losses() {
      const now = await resultsAt(places)
      return [...atFirst]
        .filter(([fileId, { batchId }]) => !forgotten.has(fileId) && !forgotten.has(batchId))
        .map(([fileId, { result }]) => ({ fileId, was: result, is: now.get(fileId)?.result }))
        .filter(({ was, is }) => was !== is)
        .map(({ fileId, was, is }) => `the file ${fileId} was ${was} and is ${is}`)
    },
  }
}

/** Of each file in these batches, its result there. */
async function resultsAt(
  places: readonly { readonly person: Person; readonly batchId: string }[],
): Promise<Map<string, { readonly batchId: string; readonly result: string }>> {
  const results = new Map<string, { batchId: string; result: string }>()
  for (const { person, batchId } of places) {
    const { body } = await person.api.get(`/transcribe/results/batch/${batchId}?chunks=true&limit=200`)
    for (const file of body.files ?? []) results.set(file.file_id, { batchId, result: JSON.stringify(file) })
  }
  return results
}

async function aPerson(service: BenchService, name: string): Promise<Person> {
  const folder = join(service.folder, 'identity')
  const issuer = await openDevelopmentIssuer({ folder, nodeEnv: 'test', clock: systemClock })
  const token = await issuer.sign({ user: name })
  const ids = { file: [], upload: [], batch: [], key: [], resumable: [] }
  return { name, owner: ownerOf(name), token, links: [], api: apiAt(service.url, token), ids }
}

/** Their word that nobody else may read is in every name, text and URL. */
export function secretOf(name: string): string {
  return `secret-of-${name}`
}

async function settle(service: BenchService, person: Person, learn: FuzzWorld['learn']): Promise<void> {
  const secret = secretOf(person.name)
  const records = await batchesIn({ nats: service.nats, dataDir: service.folder })
  for (const files of batchesFull(secret)) {
    const callbackUrl = `https://${secret}.example/ended`
    const own = { callbackUrl, callbackHeaders: { Authorization: secret }, metadata: { about: secret } }
    const { batch, refs } = await records.layOut(person.owner, files, own)
    learn(person, 'batch', [batch.batchId])
    learn(person, 'file', refs.map(({ fileId }) => fileId)) // prettier-ignore
    if (person.links.length === 0) person.links.push(await shareLinkTo(person, refs[0]!.fileId))
  }
  for (const sizeBytes of [100, 2_000, 4_000]) {
    const address = await beginByHand(person.api, sizeBytes, `${secret}.wav`)
    learn(person, 'resumable', [address.slice(address.lastIndexOf('/') + 1)])
  }
  const parts = [0.05, 0.1].map((seconds) => ({ name: `${secret}.wav`, content: aWav({ seconds }) }))
  const { body } = await person.api.post('/files/upload', { body: uploadForm(...parts) })
  const stored = await eventually('the files are stored', async () => {
    const { body: now } = await person.api.get(`/files/upload/${body.batch_upload_id}`)
    return now.status === 'completed' ? now : undefined
  })
  learn(person, 'upload', [stored.batch_upload_id])
  learn(
    person,
    'file',
    stored.files.map((file: { file_id: string }) => file.file_id),
  )
  learn(
    person,
    'key',
    stored.files.map((file: { gcs_key: string }) => file.gcs_key),
  )
}

async function shareLinkTo({ api }: Person, fileId: string): Promise<string> {
  return (await api.post(`/transcribe/results/file/${fileId}/share_links`, { json: { audio: true } })).body.link
}

function batchesFull(secret: string): LaidFile[][] {
  const text = `${secret} said this`
  const filename = `${secret}.wav`
  return [
    [
      { stage: 'completed', text, filename },
      { stage: 'partial', text, filename, chunks: 3 },
      { stage: 'failed', text, filename },
      { stage: 'completed', text, filename, url: `https://${secret}.example/a.mp3` },
    ],
    [
      { stage: 'queued', filename },
      { stage: 'planning', filename },
      { stage: 'running', text, filename, chunks: 4 },
      { stage: 'waiting', filename },
      { stage: 'uncut', filename },
      { stage: 'purged', filename },
      { stage: 'deleted', filename },
    ],
  ]
}

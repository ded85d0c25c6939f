import { unreachable } from '../decision.ts'
import { durableActor } from '../durable-actor.ts'
import type { Committed, DurableActor } from '../durable-actor.ts'
import { uploadKey } from '../ids.ts'
import { eraseUpload, joinContent, offerContent } from './contents.ts'
import { decide, owedByUpload } from './decide.ts'
import type { SpooledUpload } from './ports.ts'
import type { UploadCommand, UploadEffect } from './protocol.ts'
import type { UploadPorts } from './record.ts'
import { storeSidecar } from './sidecar.ts'
import { broughtBy } from './state.ts'
import type { FileFacts, UploadedFile } from './state.ts'

/** A file whose bytes wait in the spool of this gateway. */
export interface SpooledFile {
  readonly upload: SpooledUpload
  readonly facts: FileFacts
}

type UploadedFileActor = DurableActor<SpooledFile, UploadedFile, UploadCommand>

interface Storing {
  readonly ports: UploadPorts
  readonly self: UploadedFileActor
}

/**
 * One uploaded file, from the spool into object storage. The spool is the outbox: it forgets a file only after everything else knows
 * of it, so a crash anywhere repeats a step, and every step may be repeated. Rejects when storage or broker are away.
 */
export function uploadedFileActor(ports: UploadPorts): UploadedFileActor {
  const self: UploadedFileActor = durableActor({
    records: ports.files,
    keyOf: ({ facts }: SpooledFile) => facts.fileId,
    decide(file: UploadedFile | undefined, commands: readonly UploadCommand[]) {
      const state = file && commands.reduce(decide, file)
      return { state, effects: owedByUpload(state) }
    },
    perform: (effect, at) => perform({ ports, self }, effect, at),
    async passed(place, commands) {
      const isStored = commands.some(({ type }) => type === 'Stored')
      if (place === 'commit' && isStored) await ports.faults.point('transfer.after-record')
    },
  })
  return self
}

async function perform(
  { ports, self }: Storing,
  effect: UploadEffect,
  { ref, state }: Committed<SpooledFile, UploadedFile>,
): Promise<void> {
  const { upload, facts } = ref
  switch (effect.type) {
    case 'List':
      return ports.listing.mark(facts.owner, [{ fileId: facts.fileId, status: effect.status }])
    case 'Store':
      await ports.faults.point('transfer.after-begin')
      await self.tell(ref, [{ type: 'Stored', storageKey: await store(ports, ref) }])
      return undefined
    case 'Discard':
      await eraseUpload(ports, facts)
      return undefined
    case 'Release':
      await ports.faults.point('transfer.after-listing')
      // what came, or was stored by an attempt before, and was there already
      if (state && broughtBy(state)) await ports.blobs.remove(uploadKey(facts))
      return upload.release(facts.fileId)
    default:
      return unreachable(effect)
  }
}

/** Resolves with where its bytes are. Whether it is still there is seen by who is told so. */
async function store(ports: UploadPorts, { upload, facts }: SpooledFile): Promise<string> {
  const own = uploadKey(facts)
  const storageKey = (await joinContent(ports, facts)) ?? own
  if (storageKey === own) await storeByItself(ports, { upload, facts })
  else await storeSidecar(ports.blobs, facts, storageKey)
  await ports.faults.point('transfer.after-blob')
  return storageKey
}

async function storeByItself(ports: UploadPorts, { upload, facts }: SpooledFile): Promise<void> {
  // what is released already an earlier attempt stored; and some came straight into storage
  if (await upload.holds(facts.fileId)) {
    await ports.blobs.put(uploadKey(facts), { path: upload.pathOf(facts.fileId), sizeBytes: facts.sizeBytes })
    await storeSidecar(ports.blobs, facts)
  }
  await offerContent(ports, facts)
}

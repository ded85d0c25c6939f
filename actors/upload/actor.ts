import { unreachable } from '../decision.ts'
import { durableActor } from '../durable-actor.ts'
import type { Committed, DurableActor } from '../durable-actor.ts'
import { uploadKey } from '../ids.ts'
import { decide, owedByUpload } from './decide.ts'
import type { SpooledUpload } from './ports.ts'
import type { UploadCommand, UploadEffect } from './protocol.ts'
import type { UploadPorts } from './record.ts'
import { removeUpload, storeSidecar } from './sidecar.ts'
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
  { ref }: Committed<SpooledFile, UploadedFile>,
): Promise<void> {
  const { upload, facts } = ref
  switch (effect.type) {
    case 'List':
      return ports.listing.mark(facts.owner, [{ fileId: facts.fileId, status: effect.status }])
    case 'Store':
      await ports.faults.point('transfer.after-begin')
      await store(ports, ref)
      await ports.faults.point('transfer.after-blob')
      await self.tell(ref, [{ type: 'Stored', storageKey: uploadKey(facts) }])
      return undefined
    case 'Discard':
      await removeUpload(ports.blobs, facts)
      return undefined
    case 'Release':
      await ports.faults.point('transfer.after-listing')
      return upload.release(facts.fileId)
    default:
      return unreachable(effect)
  }
}

async function store(ports: UploadPorts, { upload, facts }: SpooledFile): Promise<void> {
  // released already, so an earlier attempt stored it
  if (!(await upload.holds(facts.fileId))) return
  await ports.blobs.put(uploadKey(facts), { path: upload.pathOf(facts.fileId), sizeBytes: facts.sizeBytes })
  await storeSidecar(ports.blobs, facts)
}

import { chunkResultKey } from '../../../actors/ids.ts'
import type { RunRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { ModelDigest } from '../../../actors/receipt/state.ts'
import type { RunOrder, TranscribeSettings } from '../../../actors/run/state.ts'
import { readStoredJson } from '../../../actors/stored-json.ts'
import { findPlan } from './plan.ts'
import { storedChunkSchema } from './schemas.ts'
import type { SpeechPlan } from './speech-plan.ts'
import { forEach, storeTakenOver } from './taken-over.ts'
import type { Copy } from './taken-over.ts'

export type IsCurrent = (settings: TranscribeSettings, used: readonly ModelDigest[]) => Promise<boolean>

interface TakeOverParts {
  readonly blobs: Blobs
  readonly isCurrent?: IsCurrent | undefined
}

/**
 * What another file with the same bytes says becomes what this one does: its plan and the result of every chunk, each with when it was transcribed and
 * by which models. Nothing when one is missing, or was not made by the models that would be used now: then the file is cut and transcribed. It is
 * looked at all of it before any of it is copied, so that nothing of the other is mixed with that.
 */
export async function takeOverSame(
  { blobs, isCurrent }: TakeOverParts,
  order: RunOrder,
  signal: AbortSignal,
): Promise<SpeechPlan | undefined> {
  if (!order.sameAs) return undefined
  const { fileId, batchId } = order.sameAs
  // in the folder of its own user, whatever else is said there
  const other: RunRef = { ...order, fileId, batchId }
  const plan = await findPlan(blobs, other)
  const chunks = [...(plan?.chunks.keys() ?? [])]
  const copies = chunks.map((chunk) => ({ from: chunkResultKey(other, chunk), to: chunkResultKey(order, chunk) }))
  if (!plan || !(await areCurrent({ blobs, isCurrent }, { order, copies, signal }))) return undefined
  const taken = { ...plan, sameAs: { file_id: fileId, batch_id: batchId } }
  return storeTakenOver(blobs, order, { plan: taken, results: copies, audio: [], signal })
}

interface Copying {
  readonly order: RunOrder
  readonly copies: readonly Copy[]
  readonly signal: AbortSignal
}

async function areCurrent({ blobs, isCurrent }: TakeOverParts, { order, copies, signal }: Copying): Promise<boolean> {
  let isWhole = true
  await forEach(copies, async ({ from }) => {
    signal.throwIfAborted()
    if (!isWhole) return
    const stored = await readStoredJson<object>(blobs, from)
    const { heard: { models } = {} } = storedChunkSchema.safeParse(stored).data ?? {}
    isWhole &&=
      stored !== undefined && (!isCurrent || (models !== undefined && (await isCurrent(order.settings, models))))
  })
  return isWhole
}

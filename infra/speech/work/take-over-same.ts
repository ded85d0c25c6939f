import { chunkResultKey } from '../../../actors/ids.ts'
import type { RunRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { ModelDigest } from '../../../actors/receipt/state.ts'
import type { RunOrder, TranscribeSettings } from '../../../actors/run/state.ts'
import { readStoredJson } from '../../../actors/stored-json.ts'
import { findPlan, storePlan } from './plan.ts'
import { storedChunkSchema } from './schemas.ts'
import type { SpeechPlan } from './speech-plan.ts'
import { copyAll, forEach } from './take-over.ts'

export type IsCurrent = (settings: TranscribeSettings, used: readonly ModelDigest[]) => Promise<boolean>

interface TakeOverParts {
  readonly blobs: Blobs
  readonly isCurrent?: IsCurrent
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
  const other: RunRef = { ...order, ...order.sameAs }
  const plan = await findPlan(blobs, other)
  if (!plan) return undefined
  let isWhole = true
  const chunks = [...plan.chunks.keys()]
  await forEach(chunks, async (chunk) => {
    signal.throwIfAborted()
    if (!isWhole) return
    const stored = await readStoredJson<object>(blobs, chunkResultKey(other, chunk))
    const { heard: { models } = {} } = storedChunkSchema.safeParse(stored).data ?? {}
    isWhole &&=
      stored !== undefined && (!isCurrent || (models !== undefined && (await isCurrent(order.settings, models))))
  })
  if (!isWhole) return undefined
  const copies = chunks.map((chunk) => ({ from: chunkResultKey(other, chunk), to: chunkResultKey(order, chunk) }))
  await copyAll(blobs, copies, signal)
  const { fileId, batchId } = order.sameAs
  return storePlan(blobs, order, { ...plan, sameAs: { file_id: fileId, batch_id: batchId } })
}

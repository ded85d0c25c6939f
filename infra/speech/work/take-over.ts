import { has } from '../../../actors/bitset.ts'
import { chunkAudioKey, chunkResultKey, earlierChunkKey } from '../../../actors/ids.ts'
import type { RunRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { RunOrder } from '../../../actors/run/state.ts'
import { findPlan } from './plan.ts'
import type { SpeechPlan } from './speech-plan.ts'
import { forEach, storeTakenOver } from './taken-over.ts'
import type { Copy, TakenOver } from './taken-over.ts'

/**
 * What an earlier run of the same file left becomes the beginning of this one: its plan, the results of the chunks that were heard,
 * and the audio of those that were not. A chunk whose result is there is not heard again (I4). Nothing when not all of it is
 * there any more: then the file is cut anew, and nothing of the earlier run may be mixed with that.
 */
export async function takeOver(blobs: Blobs, order: RunOrder, signal: AbortSignal): Promise<SpeechPlan | undefined> {
  if (order.continues === undefined) return undefined
  const earlier: RunRef = { ...order, batchId: order.continues }
  const plan = await findPlan(blobs, earlier)
  const copies = plan && (await keysToCopy(blobs, plan, { earlier, order }))
  return copies && storeTakenOver(blobs, order, { plan, ...copies, signal })
}

async function keysToCopy(
  blobs: Blobs,
  plan: SpeechPlan,
  { earlier, order }: { earlier: RunRef; order: RunOrder },
): Promise<Omit<TakenOver, 'plan'> | undefined> {
  const { again } = order
  const results: Copy[] = []
  const audio: Copy[] = []
  let isWhole = true
  const isThere = async (key: string): Promise<boolean> => (await blobs.stat(key)) !== undefined
  await forEach([...plan.chunks.keys()], async (chunk) => {
    const isWanted = again !== undefined && has(again, chunk)
    const result = chunkResultKey(earlier, chunk)
    const isDone = !isWanted && (await isThere(result))
    const hasAudio = (!isDone || again !== undefined) && (await isThere(chunkAudioKey(earlier, chunk)))
    if (!isDone && !hasAudio) isWhole = false
    if (isDone) results.push({ from: result, to: chunkResultKey(order, chunk) })
    // another word may be corrected later, and then it is this run that is gone on with
    if (hasAudio) audio.push({ from: chunkAudioKey(earlier, chunk), to: chunkAudioKey(order, chunk) })
    if (!isWanted || isDone) return
    // where it failed when it was transcribed again, what it said before that is still what it is held against
    const before = [result, earlierChunkKey(earlier, chunk)]
    for (const from of before)
      if (await isThere(from)) return void results.push({ from, to: earlierChunkKey(order, chunk) })
  })
  return isWhole ? { results, audio } : undefined
}

import { has } from '../../../actors/bitset.ts'
import {
  chunkAudioKey,
  chunkResultKey,
  chunkResultsFolder,
  earlierChunkKey,
  earlierChunksFolder,
  planKey,
} from '../../../actors/ids.ts'
import type { RunRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { RunOrder } from '../../../actors/run/state.ts'
import { readStoredBytes } from '../../../actors/stored-json.ts'
import { AtOnce } from '../threads/at-once.ts'
import { findPlan, storePlan } from './plan.ts'
import type { SpeechPlan } from './speech-plan.ts'

const copiedAtOnce = 8

/**
 * What an earlier run of the same file left becomes the beginning of this one: its plan, the results of the chunks that were heard,
 * and the audio of those that were not. A chunk whose result is there is not heard again (I4). Nothing when not all of it is
 * there any more: then the file is cut anew, and nothing of the earlier run may be mixed with that.
 */
export async function takeOver(blobs: Blobs, order: RunOrder, signal: AbortSignal): Promise<SpeechPlan | undefined> {
  if (order.continues === undefined) return undefined
  const earlier: RunRef = { ...order, batchId: order.continues }
  const plan = await findPlan(blobs, earlier)
  const keys = plan && (await keysToCopy(blobs, plan, { earlier, order }))
  if (!keys || !(await copyAll(blobs, keys, signal))) return dropCopies(blobs, order)
  return storePlan(blobs, order, plan)
}

/** False where one of them was deleted meanwhile: whoever asked for this has a recording of their own. */
export async function copyAll(blobs: Blobs, keys: readonly Copy[], signal: AbortSignal): Promise<boolean> {
  let isWhole = true
  await forEach(keys, async ({ from, to }) => {
    signal.throwIfAborted()
    const bytes = isWhole && (await readStoredBytes(blobs, from))
    if (bytes) await blobs.put(to, { bytes }, { ifAbsent: true, signal })
    else isWhole = false
  })
  return isWhole
}

/**
 * What was copied, now or by an attempt that was broken off, goes before the file is cut anew: a chunk whose result is there is not transcribed, and
 * by another plan that would be the words of another passage. What was listed before there is a plan is of nobody who works on it.
 */
export async function dropCopies(blobs: Blobs, order: RunOrder): Promise<undefined> {
  const left: string[] = []
  for (const folder of [chunkResultsFolder(order), earlierChunksFolder(order)])
    for await (const { key } of blobs.list(folder)) left.push(key)
  if (left.length === 0 || (await blobs.stat(planKey(order)))) return
  await forEach(left, async (key) => void (await blobs.remove(key)))
}

export interface Copy {
  readonly from: string
  readonly to: string
}

async function keysToCopy(
  blobs: Blobs,
  plan: SpeechPlan,
  { earlier, order }: { earlier: RunRef; order: RunOrder },
): Promise<readonly Copy[] | undefined> {
  const { again } = order
  const copies: Copy[] = []
  let isWhole = true
  const isThere = async (key: string): Promise<boolean> => (await blobs.stat(key)) !== undefined
  await forEach([...plan.chunks.keys()], async (chunk) => {
    const isWanted = again !== undefined && has(again, chunk)
    const result = chunkResultKey(earlier, chunk)
    const isDone = !isWanted && (await isThere(result))
    const hasAudio = (!isDone || again !== undefined) && (await isThere(chunkAudioKey(earlier, chunk)))
    if (!isDone && !hasAudio) isWhole = false
    if (isDone) copies.push({ from: result, to: chunkResultKey(order, chunk) })
    // another word may be corrected later, and then it is this run that is gone on with
    if (hasAudio) copies.push({ from: chunkAudioKey(earlier, chunk), to: chunkAudioKey(order, chunk) })
    if (!isWanted || isDone) return
    // where it failed when it was transcribed again, what it said before that is still what it is held against
    const before = [result, earlierChunkKey(earlier, chunk)]
    for (const from of before)
      if (await isThere(from)) return void copies.push({ from, to: earlierChunkKey(order, chunk) })
  })
  return isWhole ? copies : undefined
}

export async function forEach<One>(all: readonly One[], run: (one: One) => Promise<void>): Promise<void> {
  const running = new AtOnce(copiedAtOnce)
  for (const one of all) await running.begin(() => run(one))
  await running.finish()
}

import { randomUUID } from 'node:crypto'

import { chunkResultsFolder, earlierChunksFolder } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { RunOrder } from '../../../actors/run/state.ts'
import { readStoredBytes } from '../../../actors/stored-json.ts'
import { AtOnce } from '../threads/at-once.ts'
import { storePlan } from './plan.ts'
import type { SpeechPlan } from './speech-plan.ts'

/**
 * A chunk whose result is there is not transcribed (I4), and by another plan that would be the words of another passage. So what is copied of another
 * run waits under a name of its own until a plan holds, and takes its place only where that plan is the one it was copied for. Of several who work on
 * the same file at once, because one of them stood still, none can lose or leave what is another's.
 */
export interface Copy {
  readonly from: string
  readonly to: string
}

export interface TakenOver {
  /** Of the run that is taken over. */
  readonly plan: SpeechPlan
  readonly results: readonly Copy[]
  /** Waits for nothing: whoever cuts the file anew writes over it before there is another plan. */
  readonly audio: readonly Copy[]
}

const copiedAtOnce = 8
/** In the folders that they are moved to, which go with their run. */
const waitingFolder = 'taken-over/'

/** Resolves with the plan that holds; with nothing where something was deleted meanwhile: whoever asked for this has a recording of their own. */
export async function storeTakenOver(
  blobs: Blobs,
  order: RunOrder,
  { plan, results, audio, signal }: TakenOver & { readonly signal: AbortSignal },
): Promise<SpeechPlan | undefined> {
  const takenOver = randomUUID()
  const waiting = results.map(({ from, to }) => ({ from, to: waitingKey(to, takenOver) }))
  const isWhole = await copyAll(blobs, [...waiting, ...audio], signal)
  return isWhole ? storePlan(blobs, order, { ...plan, takenOver }) : undefined
}

/** Before the first chunk is handed out. What was copied for this plan takes its place, and what was for none goes. */
export async function settleTakenOver(blobs: Blobs, order: RunOrder, { takenOver }: SpeechPlan): Promise<void> {
  if (order.continues === undefined && !order.sameAs) return
  for (const folder of [chunkResultsFolder(order), earlierChunksFolder(order)]) {
    const waiting: string[] = []
    for await (const { key } of blobs.list(`${folder}${waitingFolder}`)) waiting.push(key)
    const ours = waiting.filter((key) => key.startsWith(`${folder}${waitingFolder}${takenOver}/`))
    await forEach(ours, async (from) => {
      const bytes = await readStoredBytes(blobs, from)
      // gone where somebody else does the same at this moment, and has it in its place
      if (bytes) await blobs.put(`${folder}${nameOf(from)}`, { bytes }, { ifAbsent: true })
    })
    await forEach(waiting, async (key) => void (await blobs.remove(key)))
  }
}

/** False where one of them is not there. */
async function copyAll(blobs: Blobs, copies: readonly Copy[], signal: AbortSignal): Promise<boolean> {
  let isWhole = true
  await forEach(copies, async ({ from, to }) => {
    signal.throwIfAborted()
    const bytes = isWhole && (await readStoredBytes(blobs, from))
    if (bytes) await blobs.put(to, { bytes }, { ifAbsent: true, signal })
    else isWhole = false
  })
  return isWhole
}

function waitingKey(to: string, takenOver: string): string {
  const name = nameOf(to)
  return `${to.slice(0, -name.length)}${waitingFolder}${takenOver}/${name}`
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

export async function forEach<One>(all: readonly One[], run: (one: One) => Promise<void>): Promise<void> {
  const running = new AtOnce(copiedAtOnce)
  for (const one of all) await running.begin(() => run(one))
  await running.finish()
}

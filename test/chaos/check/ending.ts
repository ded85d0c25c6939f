import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Quota } from '../../../actors/quota/state.ts'
import { allSearched } from '../../../actors/ids.ts'
import type { Purge } from '../../../actors/purge/state.ts'
import { buckets } from '../../../infra/nats/topology/topology.ts'
import { eventually } from '../../support/eventually.ts'
import { spoolContent } from '../../support/spool-content.ts'
import type { Ledger } from '../clients/ledger.ts'
import type { History } from '../history.ts'
import type { Observer } from '../rig/observer.ts'
import type { Rig } from '../rig/rig.ts'
import { checkBytes, referredIn } from './bytes.ts'

interface ChaosEnding {
  readonly rig: Rig
  readonly observer: Observer
  readonly ledger: Ledger
  readonly history: History
  /** Of one version and the one before. */
  readonly isMixed: boolean
}

/** Longer than anything that was handed back stays away. */
const settleWithinMs = 60_000
/** What has not finished by now keeps its messages and records, however long somebody looks at them. */
const lookAtBrokenMs = 2_000

/** What must hold when the last fault is over and every client has its answers. */
export async function checkEnding(input: ChaosEnding): Promise<void> {
  const areKept = checkPromises(input)
  await untilEmpty(input, areKept ? settleWithinMs : lookAtBrokenMs)
  await checkStored(input)
  await checkDeleted(input)
  await checkBytes(input)
}

function checkPromises({ ledger, history }: ChaosEnding): boolean {
  const broken = [...ledger.batches.values()].filter(({ ended }) => ended === undefined)
  for (const { batchId } of broken) history.complain('accepted', `batch ${batchId} was accepted and has not finished`)
  return broken.length === 0
}

/** What is left over is told; it is given time, because the last report of a batch comes after its answer. */
async function untilEmpty(input: ChaosEnding, withinMs: number): Promise<void> {
  let left: string[] = []
  const isEmpty = async (): Promise<boolean> => {
    left = await leftovers(input)
    return left.length === 0
  }
  await eventually('everything is empty', isEmpty, withinMs).catch((error: unknown) => {
    if (left.length === 0) left = [String(error instanceof Error ? (error.cause ?? error) : error)]
    for (const one of left) input.history.complain('empty', one)
  })
}

async function leftovers({ rig, observer }: ChaosEnding): Promise<string[]> {
  const left: string[] = []
  for (const { name, messages, handling } of await observer.queues())
    if (messages > 0) left.push(`${messages} messages in ${name}, ${handling} of them in somebody’s hands`)
  for (const key of await observer.keysOf(buckets.open)) left.push(`${key} in ${buckets.open}`)
  for (const key of await observer.keysOf(buckets.inHand)) left.push(`${key} in ${buckets.inHand}`)
  for (const key of await observer.keysOf(buckets.purges)) {
    // one that is done stays for a while, and clears away what somebody writes who comes late
    const purge = await observer.recordOf<Purge>(buckets.purges, key)
    if (purge && !purge.isDone) left.push(`${key} in ${buckets.purges}`)
  }
  for (const key of await observer.keysOf(buckets.quotas)) {
    const reserved = Object.keys((await observer.recordOf<Quota>(buckets.quotas, key))?.reserved ?? {})
    if (reserved.length > 0) left.push(`a reservation of ${key} for ${reserved.join(', ')}`)
  }
  for (const { name, spoolFolder } of rig.gateways)
    for (const entry of await spoolContent(spoolFolder)) left.push(`${entry} in the spool of ${name}`)
  return left
}

/** Nothing is there that nobody asked for, and a key that was never answered stands for one at most. */
async function checkStored({ observer, ledger, history }: ChaosEnding): Promise<void> {
  const uploads = (await observer.keysOf(buckets.uploads)).filter((key) => !ledger.uploads.has(key))
  const batches = (await observer.keysOf(buckets.batches)).filter((key) => !ledger.batches.has(key))
  const unanswered = ledger.keys.size - ledger.answered()
  if (uploads.length + batches.length > unanswered)
    history.complain(
      'once',
      `${uploads.length} uploads and ${batches.length} batches are stored that nobody was told of, and ${unanswered} requests were not answered: ${[...uploads, ...batches].join(', ')}`,
    )
}

/** With the folders that it is in. */
const chunkResultOfRun = /\/transcripts\/[^/]+\/[^/]+(\/[^/]+(\/chunk(\/\d+)?)?)?$/

async function checkDeleted({ rig, observer, ledger, history, isMixed }: ChaosEnding): Promise<void> {
  const gone = [...ledger.files].filter(([, { life }]) => life === 'deleted').map(([fileId]) => fileId)
  if (gone.length === 0) return
  const folder = join(rig.disk.folder, 'objects')
  let left: string[] = []
  const isClear = async (): Promise<boolean> => {
    const found = await readdir(folder, { recursive: true })
    // what a file came with stays as long as another refers to it
    const referred = await referredIn(observer)
    const paths = found.filter((path) => !referred.has(path) && !(isMixed && isLeftByVersionBefore(path)))
    const runs = await observer.keysOf(buckets.runs)
    left = [...paths, ...runs].filter((name) => gone.some((fileId) => name.includes(fileId)))
    return left.length === 0
  }
  await eventually('nothing of what was deleted is left', isClear, settleWithinMs).catch(() => {
    for (const name of left) history.complain('deleted', `${name} is left of a deleted file`)
  })
}

/**
 * It does not know what is searched, and leaves it to `vaak search --rebuild` (infra/docs/upgrading.md). And of a chunk that it heard twice
 * nobody is told the second time: what is stored then stays for the hour after which deletions are looked at again.
 */
function isLeftByVersionBefore(path: string): boolean {
  return path.includes(`/${allSearched}`) || chunkResultOfRun.test(path)
}

import { setMaxListeners } from 'node:events'
import { stat } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'

import { terminal } from '../../../actors/failure.ts'
import { chunkAudioKey } from '../../../actors/ids.ts'
import type { FetchedSource, Planner } from '../../../actors/run/ports.ts'
import type { RunOrder } from '../../../actors/run/state.ts'
import type { AudioDigest } from '../../../actors/receipt/state.ts'
import type { Cutting } from '../engine/cut.ts'
import { digestOf } from '../models/digest.ts'
import { AtOnce } from '../threads/at-once.ts'
import { encodeChunk } from './chunk-audio.ts'
import { openFetching } from './fetch-source.ts'
import type { FetchParts } from './fetch-source.ts'
import { loadSource } from './load-source.ts'
import type { SourceParts } from './load-source.ts'
import { findPlan, plannedOf, storePlan } from './plan.ts'
import type { PlannedChunk, SpeechPlan } from './speech-plan.ts'
import { takeOver } from './take-over.ts'
import { takeOverSame } from './take-over-same.ts'
import { settleTakenOver } from './taken-over.ts'
import type { IsCurrent } from './take-over-same.ts'
import type { WorkFolder } from './work-folder.ts'

export interface PlannerParts extends SourceParts, FetchParts {
  readonly folder: WorkFolder
  /** The same file gives the same chunks. */
  readonly cut: (path: string, order: RunOrder, signal: AbortSignal) => Promise<Cutting>
  /** Whether these models are what this worker would hear it with now; absent: nobody asks. */
  readonly isCurrent?: IsCurrent
  /** Most chunks of one file: what its record and its plan can hold. */
  readonly maxChunks?: number
}

const defaultMaxChunks = 20_000
/** Chunks on their way to storage: enough to hide its latency, few enough to bound memory. */
const storedAtOnce = 8

/**
 * A plan that is there is not made again: the chunks of the first one may be under way. One that was begun and not
 * finished is made again from the start, and writes the same objects.
 */
export function createPlanner(parts: PlannerParts): Planner {
  const { blobs } = parts
  const fetchSource = openFetching(parts)
  const made = async (order: RunOrder, signal: AbortSignal): Promise<SpeechPlan | undefined> =>
    (await findPlan(blobs, order)) ??
    (await takeOver(blobs, order, signal)) ??
    takeOverSame({ blobs, ...(parts.isCurrent && { isCurrent: parts.isCurrent }) }, order, signal)
  return {
    async fetch(order, signal) {
      signal.throwIfAborted()
      return order.source.type === 'url' && !(await made(order, signal)) ? fetchSource(order, signal) : undefined
    },
    async plan(order, signal, fetched) {
      signal.throwIfAborted()
      const plan =
        (await made(order, signal)) ??
        (await withSource(parts, { order, signal, fetched }, async (path) =>
          storePlan(blobs, order, await cutAndStore(parts, { path, order, signal })),
        ))
      await settleTakenOver(blobs, order, plan)
      return { total: plan.chunks.length, seconds: plan.seconds }
    },
  }
}

interface Sourcing extends Omit<Loaded, 'path'> {
  readonly fetched: FetchedSource | undefined
}

async function withSource<Result>(
  parts: PlannerParts,
  { order: { source }, signal, fetched }: Sourcing,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  if (fetched) return use(fetched.path)
  if (source.type === 'url') throw new Error('what a URL names is fetched before it is cut')
  return parts.folder.withFile(async (path) => {
    await loadSource(parts, source.key, { path, signal })
    return use(path)
  })
}

interface Loaded {
  readonly path: string
  readonly order: RunOrder
  readonly signal: AbortSignal
}

async function cutAndStore(parts: PlannerParts, loaded: Loaded): Promise<SpeechPlan> {
  const cutting = await parts.cut(loaded.path, loaded.order, loaded.signal)
  const chunks = await storeAll(parts, cutting, loaded)
  const { seconds, startSeconds, channels, warnings, waveform } = cutting
  return {
    seconds,
    ...(startSeconds > 0 && { startSeconds }),
    channels,
    warnings,
    audio: await audioDigest(loaded.path),
    waveform,
    chunks,
  }
}

/** After it was cut: then the system has it at hand, and what cannot be cut is not read twice. */
async function audioDigest(path: string): Promise<AudioDigest> {
  return { sha256: await digestOf(path, 'sha256', 'hex'), size_bytes: (await stat(path)).size }
}

/** Numbered as they come. When it fails, nothing of it is still being written: what is deleted now stays deleted. */
async function storeAll(parts: PlannerParts, cutting: Cutting, { order, signal }: Loaded): Promise<PlannedChunk[]> {
  const { blobs, maxChunks = defaultMaxChunks } = parts
  const stopping = new AbortController()
  const anyStop = AbortSignal.any([signal, stopping.signal])
  setMaxListeners(0, anyStop) // every chunk on its way listens: that is no leak
  const storing = new AtOnce(storedAtOnce)
  const planned: PlannedChunk[] = []
  try {
    for await (const audio of cutting) {
      await breathe() // many chunks come at once, and each takes a while to write down
      signal.throwIfAborted()
      if (planned.length === maxChunks) throw tooMany(maxChunks)
      const key = chunkAudioKey(order, planned.length)
      planned.push(plannedOf(audio))
      await storing.begin(async () => void (await blobs.put(key, { bytes: encodeChunk(audio) }, { signal: anyStop })))
    }
    await storing.finish()
    signal.throwIfAborted()
    return planned
  } catch (error) {
    stopping.abort(error)
    await storing.ended()
    signal.throwIfAborted()
    throw error
  }
}

function tooMany(most: number): Error {
  return terminal(
    'too_large',
    `The recording has more than ${most} passages of speech, which is the limit. Split it and submit the parts.`,
  )
}

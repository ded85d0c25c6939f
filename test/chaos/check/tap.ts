import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { DeliverPolicy } from '@nats-io/jetstream'

import { has, members, minus, size } from '../../../actors/bitset.ts'
import { chunkResultKey, runKey } from '../../../actors/ids.ts'
import { chunksOf } from '../../../actors/run/state.ts'
import type { RunState } from '../../../actors/run/state.ts'
import { buckets } from '../../../infra/nats/topology/topology.ts'
import type { History } from '../history.ts'
import type { Observer } from '../rig/observer.ts'
import { watchMissed } from './missed.ts'

/** Watches every change of the records of files, as far as the broker shows it, and what lies in storage when a chunk is done. */
interface Tap {
  /** Changes that were seen. */
  readonly seen: number
  /** Reads the results that were seen again: who stored first must still be there. */
  checkResults(): Promise<number>
  /** When everything has ended: no message may have vanished. */
  checkMissed(): void
  close(): Promise<void>
}

interface TapOptions {
  readonly observer: Observer
  readonly history: History
  readonly objectsFolder: string
  /** Chunks whose message the rig itself took away, as `file.batch.chunk`. */
  readonly taken: ReadonlySet<string>
}

export async function openTap(options: TapOptions): Promise<Tap> {
  const { observer, objectsFolder, history } = options
  const last = new Map<string, RunState>()
  const results = new Map<string, string>()
  const reading: Promise<void>[] = []
  const missed = watchMissed(options.taken)
  let seen = 0

  const remember = async (path: string): Promise<void> => {
    const hash = await hashOf(path)
    if (hash !== undefined && !results.has(path)) results.set(path, hash)
  }
  const consumer = await observer.js.consumers.get(`KV_${buckets.runs}`, { deliver_policy: DeliverPolicy.All })
  const messages = await consumer.consume({
    callback(message) {
      seen += 1
      const key = message.subject.slice(`$KV.${buckets.runs}.`.length)
      // a record that was removed leaves a message without a body
      if (message.data.length === 0) return
      const { value: run } = message.json<{ value?: RunState }>()
      // it only fills a block that is to be rewritten
      if (!run) return
      const before = last.get(key)
      last.set(key, run)
      compare(options, before, run)
      missed.changed(before, run)
      for (const chunk of newlyDone(before, run)) {
        reading.push(remember(join(objectsFolder, 'stored', chunkResultKey(run, chunk))))
      }
    },
  })
  return {
    get seen() {
      return seen
    },
    async checkResults() {
      await Promise.all(reading)
      for (const [path, hash] of results) {
        const now = await hashOf(path)
        if (now !== undefined && now !== hash)
          history.complain('results', `${path.slice(objectsFolder.length)} was written again`)
      }
      return results.size
    },
    checkMissed() {
      for (const sentence of missed.complaints()) history.complain('vanished', sentence)
    },
    async close() {
      await messages.close()
    },
  }
}

/** Nothing when it was deleted. */
async function hashOf(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined)
  return bytes && createHash('sha256').update(bytes).digest('hex')
}

function newlyDone(before: RunState | undefined, after: RunState): number[] {
  const now = chunksOf(after.progress)?.done
  const then = before && chunksOf(before.progress)?.done
  if (now === undefined) return []
  return members(then === undefined ? now : minus(now, then))
}

/** The same rules as the simulator has at every change of a record (test/sim/check-run.ts), as far as a slow reader can hold them. */
function compare({ history }: TapOptions, before: RunState | undefined, after: RunState): void {
  const key = runKey(after)
  if (before?.progress.phase === 'gone')
    history.complain('deleted', `the record ${key} went on after its file was deleted`)
  if (before?.progress.phase === 'finished' && after.progress.phase !== 'gone') {
    const outcome = after.progress.phase === 'finished' ? after.progress.outcome : after.progress.phase
    if (outcome !== before.progress.outcome)
      history.complain('final', `the record ${key} was ${before.progress.outcome} and then ${outcome}`)
  }
  const chunks = chunksOf(after.progress)
  const old = before && chunksOf(before.progress)
  if (!chunks) return
  if (
    members(chunks.done).some((chunk) => has(chunks.failed, chunk)) ||
    size(chunks.done) + size(chunks.failed) > chunks.total
  )
    history.complain('once', `the record ${key} counts a chunk twice`)
  if (!old) return
  if (old.total !== chunks.total) history.complain('once', `the record ${key} has another number of chunks`)
  if (size(minus(old.done, chunks.done)) + size(minus(old.failed, chunks.failed)) > 0)
    history.complain('final', `a chunk of ${key} was settled and then was not`)
}

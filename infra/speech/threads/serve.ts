import { parentPort } from 'node:worker_threads'

import { z } from 'zod'

import { giveWayAsThread } from '../../process/give-way.ts'
import { ownThread } from '../../process/patience.ts'
import { threadTimeMs } from '../../process/thread-time.ts'

/** The inside of a worker thread of a pool: opens what it needs, then answers one request after another. The signal aborts when nobody wants the answer any more. */
export async function serveThread(open: () => Promise<Answering>, niceness?: number): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('this module is the entry of a worker thread')
  giveWayAsThread(niceness)
  let answer: Answering
  try {
    answer = await open()
  } catch (error) {
    port.postMessage({ type: 'failed', reason: reasonOf(error) } satisfies FromWorker)
    return
  }
  let stopping = new AbortController()
  port.on('message', (message: unknown) => {
    const asked = toWorkerSchema.parse(message)
    if (asked === 'stop') return stopping.abort()
    stopping = new AbortController()
    const fromMs = threadTimeMs()
    void outcomeOf(() => answer(asked.request, stopping.signal)).then((outcome) =>
      port.postMessage({ ...outcome, usedMs: threadTimeMs() - fromMs } satisfies FromWorker),
    )
  })
  port.postMessage({ type: 'ready', thread: ownThread() } satisfies FromWorker)
}

type Answering = (request: unknown, signal: AbortSignal) => Promise<unknown>

export const fromWorkerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), thread: z.int().optional() }),
  z.object({ type: z.literal('failed'), reason: z.string() }),
  z.object({ type: z.literal('answered'), answer: z.unknown(), usedMs: z.number() }),
  z.object({ type: z.literal('refused'), reason: z.string(), usedMs: z.number() }),
])
export type FromWorker = z.infer<typeof fromWorkerSchema>
type Outcome =
  | { readonly type: 'answered'; readonly answer: unknown }
  | { readonly type: 'refused'; readonly reason: string }

const toWorkerSchema = z.union([z.literal('stop'), z.object({ request: z.unknown() })])
export type ToWorker = z.infer<typeof toWorkerSchema>

/** Whatever is thrown, at once or later, is an answer: of threads that die of it their pool would have none left before long. */
async function outcomeOf(answer: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { type: 'answered', answer: await answer() }
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

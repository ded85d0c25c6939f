import { parentPort } from 'node:worker_threads'

import { z } from 'zod'

import { giveWayAsThread } from '../../process/give-way.ts'

/** The inside of a worker thread of a pool: opens what it needs, then answers one request after another. */
export async function serveThread(
  open: () => Promise<(request: unknown) => Promise<unknown>>,
  niceness?: number,
): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('this module is the entry of a worker thread')
  giveWayAsThread(niceness)
  let answer: (request: unknown) => Promise<unknown>
  try {
    answer = await open()
  } catch (error) {
    port.postMessage({ type: 'failed', reason: reasonOf(error) } satisfies FromWorker)
    return
  }
  port.on('message', (message: unknown) => {
    const { request } = toWorkerSchema.parse(message)
    answer(request).then(
      (value) => port.postMessage({ type: 'answered', answer: value } satisfies FromWorker),
      (error: unknown) => port.postMessage({ type: 'refused', reason: reasonOf(error) } satisfies FromWorker),
    )
  })
  port.postMessage({ type: 'ready' } satisfies FromWorker)
}

export const fromWorkerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), reason: z.string() }),
  z.object({ type: z.literal('answered'), answer: z.unknown() }),
  z.object({ type: z.literal('refused'), reason: z.string() }),
])
export type FromWorker = z.infer<typeof fromWorkerSchema>

const toWorkerSchema = z.object({ request: z.unknown() })
export type ToWorker = z.infer<typeof toWorkerSchema>

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

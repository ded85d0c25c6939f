import type { Worker } from 'node:worker_threads'

import { fromWorkerSchema } from './serve.ts'

export function nextWord(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('message', () => resolve())
    worker.once('exit', () => resolve())
  })
}

/** Which thread it is, for the system. */
export function firstWord(worker: Worker): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: unknown) => {
      worker.off('error', reject)
      const first = fromWorkerSchema.parse(message)
      if (first.type === 'ready') resolve(first.thread)
      else reject(new Error(first.type === 'failed' ? first.reason : 'a thread spoke before it was ready'))
    })
  })
}

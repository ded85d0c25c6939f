import { once } from 'node:events'
import { workerData } from 'node:worker_threads'

import { ownThread } from '../../infra/process/patience.ts'
import { threadTimeMs } from '../../infra/process/thread-time.ts'
import { serveThread } from '../../infra/speech/threads/serve.ts'

/** A worker thread that does as it is told, for the tests of the pool. */
await serveThread(async () => {
  if (workerData === 'cannot open') throw new Error('there is no model here')
  return (request, signal) => {
    if (request === 'throw at once') throw new Error('that cannot be recognised at all')
    return obey(request, signal)
  }
})

async function obey(request: unknown, signal: AbortSignal): Promise<unknown> {
  if (request === 'die') process.exit(3)
  if (request === 'throw') throw new Error('that cannot be recognised')
  if (request === 'compute') computeFor(20)
  if (request === 'count') return Atomics.add(new Int32Array((workerData as { tally: SharedArrayBuffer }).tally), 0, 1) // as: the test gave it
  if (request === 'stop when told' || request === 'go on a while when told') await once(signal, 'abort')
  if (request === 'go on a while when told') computeFor(20)
  return request === 'which thread' ? ownThread() : request
}

function computeFor(ms: number): void {
  const fromMs = threadTimeMs()
  while (threadTimeMs() - fromMs < ms);
}

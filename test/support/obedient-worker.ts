import { workerData } from 'node:worker_threads'

import { serveThread } from '../../infra/speech/threads/serve.ts'

/** A worker thread that does as it is told, for the tests of the pool. */
await serveThread(async () => {
  if (workerData === 'cannot open') throw new Error('there is no model here')
  return async (request) => {
    if (request === 'die') process.exit(3)
    if (request === 'throw') throw new Error('that cannot be recognised')
    if (request === 'hang') await new Promise(() => setInterval(() => {}, 60_000))
    return request
  }
})

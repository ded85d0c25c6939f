import type { Judge } from '../../../actors/transcript/ports.ts'
import type { Quality } from '../../../actors/transcript/state.ts'
import { lazily } from '../threads/lazily.ts'
import { onBehalfOf } from '../threads/model-time.ts'
import { openWorkerPool } from '../threads/pool.ts'
import type { WorkerPool } from '../threads/pool.ts'

type Texts = Parameters<Judge['judge']>[0]

/** Characters of the one times those of the other: a page against a page, which takes a tenth of a second. */
const shortMax = 4_000_000

/** Threads are started by the first who asks. Short comparisons have one of their own: they wait for no long one, which gives way to everything. */
export function openJudge(): Judge & { close(): Promise<void> } {
  const [short, long] = [lazily(() => openThread(false)), lazily(() => openThread(true))]
  return {
    async judge(texts, { owner, signal }) {
      const thread = await (texts.said.length * texts.heard.length > shortMax ? long : short).get()
      return onBehalfOf(owner, () => thread.run(texts, signal))
    },
    async close() {
      await Promise.all([short.close(), long.close()])
    },
  }
}

function openThread(isPatient: boolean): Promise<WorkerPool<Texts, Quality>> {
  return openWorkerPool<Texts, Quality>({
    entry: new URL('./judge-worker.js', import.meta.url),
    workerData: { isPatient },
    size: 1,
    decode: (answer) => answer as Quality, // as: our own thread made it
  })
}

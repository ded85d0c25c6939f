import type { Judge } from '../../../actors/transcript/ports.ts'
import type { Quality } from '../../../actors/transcript/state.ts'
import { lazily } from '../threads/lazily.ts'
import { openWorkerPool } from '../threads/pool.ts'

type Texts = Parameters<Judge['judge']>[0]

/** The thread is started by the first who asks. */
export function openJudge(): Judge & { close(): Promise<void> } {
  const thread = lazily(() =>
    openWorkerPool<Texts, Quality>({
      entry: new URL('./judge-worker.js', import.meta.url),
      workerData: undefined,
      size: 1,
      decode: (answer) => answer as Quality, // as: our own thread made it
    }),
  )
  return {
    judge: async (texts, signal) => (await thread.get()).run(texts, signal),
    close: () => thread.close(),
  }
}

import { terminal } from '../../../../actors/failure.ts'
import type { PaperMaker } from '../../../../actors/transcript/ports.ts'
import type { PaperFormat } from '../../../../actors/transcript/state.ts'
import { lazily } from '../../threads/lazily.ts'
import { openWorkerPool } from '../../threads/pool.ts'
import { pageOf } from './page.ts'
import type { Page } from './page.ts'
import { canBePrinted } from './printable.ts'

interface PaperOrder {
  readonly format: PaperFormat
  readonly page: Page
}

const unprintable =
  'This transcript has letters for which there is no font here: a PDF has Devanagari and Latin letters only. Ask for docx.'

/** The thread is started by the first who asks. */
export function openPaperMaker(): PaperMaker & { close(): Promise<void> } {
  const thread = lazily(() =>
    openWorkerPool<PaperOrder, Uint8Array>({
      entry: new URL('./paper-worker.js', import.meta.url),
      workerData: undefined,
      size: 1,
      decode: (answer) => answer as Uint8Array, // as: our own thread made it
    }),
  )
  return {
    async make({ format, ...request }) {
      const page = pageOf(request)
      if (format === 'pdf' && !canBePrinted(page)) throw terminal('conflict', unprintable)
      return (await thread.get()).run({ format, page })
    },
    close: () => thread.close(),
  }
}

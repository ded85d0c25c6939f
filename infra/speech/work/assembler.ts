import { members } from '../../../actors/bitset.ts'
import { chunkResultKey } from '../../../actors/ids.ts'
import type { RunRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { Assembler } from '../../../actors/run/ports.ts'
import { chunkErrorsOf } from '../../../actors/run/state.ts'
import type { Chunks } from '../../../actors/run/state.ts'
import type { AssembledTranscript } from '../../../actors/transcript/state.ts'
import { wholeBytes } from '../../../actors/whole-bytes.ts'
import { AtOnce } from '../threads/at-once.ts'
import { lazily } from '../threads/lazily.ts'
import { openWorkerPool } from '../threads/pool.ts'
import { openStored } from './open-stored.ts'
import { readPlan } from './plan.ts'
import type { StoredParts } from './stored-parts.ts'

const readAtOnce = 16
const untold = { message: 'This chunk could not be heard.', code: 'worker_failed', attempts: 0 }

/** On a thread of its own: hours of speech take seconds to put together. */
export function createAssembler(blobs: Blobs): Assembler & { close(): Promise<void> } {
  const thread = lazily(() =>
    openWorkerPool<StoredParts, AssembledTranscript>({
      entry: new URL('./assemble-worker.js', import.meta.url),
      workerData: undefined,
      size: 1,
      decode: (answer) => answer as AssembledTranscript, // as: our own thread made it
    }),
  )
  return {
    async assemble(order, chunks, signal) {
      signal.throwIfAborted()
      const plan = await readPlan(blobs, order)
      const done = await readResults(blobs, order, { chunks: members(chunks.done), signal })
      const { saidText, ...options } = order.settings
      const { script, speakers, redact, keepUnredacted } = options
      const parts = {
        plan,
        script,
        speakers,
        redact,
        keepUnredacted,
        done,
        failed: failuresOf(chunks),
        order: { file_id: order.fileId, batch_id: order.batchId, options },
        saidText,
      }
      return (await thread.get()).run(parts, signal)
    },
    close: () => thread.close(),
  }
}

async function readResults(
  blobs: Blobs,
  input: RunRef,
  wanted: { readonly chunks: readonly number[]; readonly signal: AbortSignal },
): Promise<StoredParts['done']> {
  const reading = new AtOnce(readAtOnce)
  const done: { chunk: number; result: Uint8Array }[] = []
  for (const chunk of wanted.chunks) {
    wanted.signal.throwIfAborted()
    const missing = `The result of chunk ${chunk} is no longer in storage. Submit the file again.`
    await reading.begin(async () => {
      done.push({ chunk, result: await wholeBytes(await openStored(blobs, chunkResultKey(input, chunk), missing)) })
    })
  }
  await reading.finish()
  return done
}

function failuresOf({ failed, errors }: Chunks): StoredParts['failed'] {
  const known = new Map(chunkErrorsOf(errors).map((error) => [error.chunk, error]))
  return members(failed).map((chunk) => {
    const { message: reason, code, attempts } = known.get(chunk) ?? untold
    return { chunk, reason, code, attempts }
  })
}

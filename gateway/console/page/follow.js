import { isPassing, read } from './api.js'
import { isOpen } from './format.js'
import { pause } from './patience.js'
import { serverEvents } from './server-events.js'

/** A browser opens six connections to a server, and the page needs some of them for other things. */
const streamsMax = 2
const againMs = 2_000
const pollMs = 5_000

let streams = 0

/**
 * Tells of a batch until it ends: `status` with its state, `file` when one of its files moves on, `end` at last.
 * @param {{ status(data: any): void, file?(data: any): void, end?(data: any): void }} on
 */
export async function follow(batchId, on, signal) {
  const path = encodeURIComponent(batchId)
  let lastId
  while (!signal.aborted)
    try {
      if (streams < streamsMax) {
        for await (const { event, data, id } of counted(`/transcribe/events/batch/${path}`, { signal, lastId })) {
          lastId = id ?? lastId
          on[event]?.(data)
          if (event === 'end') return
        }
      } else {
        const status = await read(`/transcribe/status/batch/${path}`, { signal })
        on.status(status)
        if (!isOpen(status.status)) return on.end?.(status)
      }
      await pause(streams < streamsMax ? againMs : pollMs, signal)
    } catch (error) {
      if (signal.aborted) return
      // a network that breaks off in the middle is not an ApiError
      if (error.status !== undefined && !isPassing(error)) throw error
      await pause(againMs, signal).catch(() => undefined)
    }
}

async function* counted(path, options) {
  streams += 1
  try {
    yield* serverEvents(path, options)
  } finally {
    streams -= 1
  }
}

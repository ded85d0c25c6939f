import type { IncomingMessage } from 'node:http'
import { addAbortSignal } from 'node:stream'

import { arrivalsOf } from './arrivals.ts'
import type { ByteArrivals } from './arrivals.ts'
import { classify, unavailable } from './classify.ts'
import type { RemoteLimits } from './limits.ts'

/** The bytes of an answer while they come fast enough; taken in from this moment on. */
export function readBody(answer: IncomingMessage, limits: RemoteLimits, signal: AbortSignal): AsyncGenerator<Buffer> {
  const arrivals = arrivalsOf(addAbortSignal(signal, answer))
  return inTime({ answer, arrivals, signal }, limits)
}

interface Body {
  readonly answer: IncomingMessage
  readonly arrivals: ByteArrivals
  readonly signal: AbortSignal
}

async function* inTime(body: Body, limits: RemoteLimits): AsyncGenerator<Buffer> {
  const watch = watchPace(body, limits)
  try {
    for (;;) {
      const chunk = await body.arrivals.next()
      body.signal.throwIfAborted()
      if (!chunk) return
      yield chunk
    }
  } catch (error) {
    body.signal.throwIfAborted()
    throw classify(error)
  } finally {
    clearInterval(watch)
  }
}

function watchPace({ answer, arrivals }: Body, { patienceMs, minBytesPerSecond }: RemoteLimits): NodeJS.Timeout {
  const wantedBytes = Math.ceil((minBytesPerSecond * patienceMs) / 1000)
  let seenBytes = 0
  return setInterval(() => {
    // a stream that waits for us is no slow one
    const tooSlow = arrivals.sizeBytes - seenBytes < wantedBytes && !answer.isPaused()
    seenBytes = arrivals.sizeBytes
    if (tooSlow)
      answer.destroy(
        unavailable(`The server of this URL sends less than ${wantedBytes} bytes in ${patienceMs / 1000} seconds.`),
      )
  }, patienceMs)
}

import type { IncomingMessage } from 'node:http'

import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'

/** The body of a request, of which what came is kept, whatever becomes of the rest. */
export interface PieceBody {
  readonly source: AsyncIterable<Uint8Array>
  /** Ends the source where it is. */
  stop(reason: FailureError): void
  /** Ends it once what is on its way has come: the connection may be dead, and what it brought before not be read yet. */
  letGo(reason: FailureError): void
  /** Why it ended before the request did. */
  readonly reason: FailureError | undefined
}

/** Nothing came for so long: nothing is on its way. */
const quietMs = 200
/** Who still sends then is stopped in the middle. */
const patienceMs = 3_000

export function openPieceBody(request: IncomingMessage, maxBytes: number): PieceBody {
  let reason: FailureError | undefined
  let wake = (): void => undefined
  let chunksSeen = 0
  let isWaiting = false
  const stop = (why: FailureError): void => {
    reason ??= why
    wake()
  }
  // not destroyed: the answer to a refusal still goes this way
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false })
  // not a race with one promise for all of it, which would hold every chunk until the end
  const next = (): Promise<Buffer | undefined> =>
    new Promise((resolve) => {
      wake = () => resolve(undefined)
      chunks.next().then(
        ({ done, value }) => resolve(done === true ? undefined : value),
        () => stop(brokenOff()),
      )
    })
  const source = async function* (): AsyncIterable<Uint8Array> {
    for (let leftBytes = maxBytes; ;) {
      isWaiting = true
      const chunk = reason ? undefined : await next()
      isWaiting = false
      if (chunk === undefined) return
      chunksSeen += 1
      leftBytes -= chunk.length
      if (leftBytes < 0) return stop(tooMuch())
      yield chunk
    }
  }
  return {
    source: source(),
    stop,
    letGo(why) {
      let seen = -1
      const untilMs = performance.now() + patienceMs
      const look = (): void => {
        const isQuiet = isWaiting && chunksSeen === seen
        if (isQuiet || performance.now() > untilMs) stop(why)
        seen = chunksSeen
        if (!reason) setTimeout(look, quietMs).unref()
      }
      look()
    },
    get reason() {
      return reason
    },
  }
}

/** Of what is larger than it was announced. */
export function tooMuch(): FailureError {
  return terminal('too_large', 'These are more bytes than Upload-Length announced.')
}

function brokenOff(): FailureError {
  return terminal('invalid_request', 'The request was broken off. What came is kept.')
}

import type { IncomingMessage } from 'node:http'

import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'

export interface PaceLimits {
  readonly minBytesPerSecond: number
  readonly patienceSeconds: number
}

/** Tells of a client that hardly sends anything; never of one that waits for us. Returns what stops the watch. */
export function watchPace(
  request: IncomingMessage,
  limits: PaceLimits,
  onTooSlow: (reason: FailureError) => void,
): () => void {
  const socket = request.socket
  const wantedBytes = limits.minBytesPerSecond * limits.patienceSeconds
  let seenBytes = socket.bytesRead
  const timer = setInterval(() => {
    const arrivedBytes = socket.bytesRead - seenBytes
    seenBytes = socket.bytesRead
    if (arrivedBytes >= wantedBytes || request.readableLength > 0) return
    onTooSlow(
      terminal(
        'too_slow',
        `The upload sent ${arrivedBytes} bytes in ${limits.patienceSeconds} seconds; at least ${wantedBytes} are needed. Nothing was kept.`,
      ),
    )
  }, limits.patienceSeconds * 1000)
  return () => clearInterval(timer)
}

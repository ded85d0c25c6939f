import { isPassing } from './api.js'

const triesMax = 6
const firstWaitMs = 1_000
const longestWaitMs = 30_000

export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Tries again what may pass, at the time that the server names. */
export async function patiently(attempt, signal) {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isPassing(error) || tried >= triesMax) throw error
      const waitMs = error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : firstWaitMs * 2 ** (tried - 1)
      await pause(Math.min(longestWaitMs, waitMs), signal)
    }
  }
}

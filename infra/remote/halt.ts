/** A signal that is given after a while, or with its parent, and never once it is closed. */
interface Halt {
  readonly signal: AbortSignal
  close(): void
}

/** Not `AbortSignal.any` over `AbortSignal.timeout`: what only they hold may be collected, and then never comes. */
export function haltAfter(ms: number, reason: Error, parent?: AbortSignal): Halt {
  const controller = new AbortController()
  const follow = (): void => controller.abort(parent?.reason)
  const timer = setTimeout(() => controller.abort(reason), ms)
  if (parent?.aborted) follow()
  parent?.addEventListener('abort', follow)
  return {
    signal: controller.signal,
    close() {
      clearTimeout(timer)
      parent?.removeEventListener('abort', follow)
    },
  }
}

/** For work that cannot be called off: what it comes to afterwards is nobody's. */
export async function unlessHalted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let halt = (): void => undefined
  const halted = new Promise<never>((_resolve, reject) => {
    // as: every signal here is aborted with an Error, or by its owner with what he wants to get back
    halt = () => reject(signal.reason as Error)
    signal.addEventListener('abort', halt)
    if (signal.aborted) halt()
  })
  try {
    return await Promise.race([work, halted])
  } finally {
    signal.removeEventListener('abort', halt)
  }
}

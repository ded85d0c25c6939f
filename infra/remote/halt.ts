/** A signal that is given after a while, or with its parent, and never once it is closed. */
interface Halt {
  readonly signal: AbortSignal
  close(): void
}

interface Deadline {
  /** From the start; asked again when it is over, since it may have grown. */
  readonly allowedMs: () => number
  readonly late: () => Error
}

/** Not `AbortSignal.any` over `AbortSignal.timeout`: what only they hold may be collected, and then never comes. */
export function haltAfter({ allowedMs, late }: Deadline, parent?: AbortSignal): Halt {
  const controller = new AbortController()
  const follow = (): void => controller.abort(parent?.reason)
  const begunMs = performance.now()
  let timer = setTimeout(look, allowedMs())
  function look(): void {
    const leftMs = allowedMs() - (performance.now() - begunMs)
    // timers may come a little early
    if (leftMs < 1) controller.abort(late())
    else timer = setTimeout(look, leftMs)
  }
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

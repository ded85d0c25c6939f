/**
 * Work that came again may have killed its worker. It runs alone, so that only the guilty one dies another time and its
 * neighbours are not counted among those who were there each time (I8).
 */
export interface Quarantine {
  /** Rejects with `noTurn` when the signal is aborted before its turn came. */
  pass<Result>(
    input: { readonly isSuspect: boolean; readonly signal: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result>
}

/** Not a failure of the work: it waited for somebody else until its time was over, and is left to another worker. */
export const noTurn = new Error('its turn did not come')

export function createQuarantine(): Quarantine {
  const running = new Set<Promise<unknown>>()
  let door: Promise<unknown> = Promise.resolve()

  function track<Result>(work: () => Promise<Result>): Promise<Result> {
    const step = work()
    const settled = step.catch(() => undefined).finally(() => running.delete(settled))
    running.add(settled)
    return step
  }

  return {
    async pass({ isSuspect, signal }, work) {
      const before = door
      if (!isSuspect) {
        await turn(before, signal)
        return track(work)
      }
      let open = (): void => undefined
      const own = new Promise<void>((resolve) => {
        open = resolve
      })
      // who gives up waiting must not open the door of the one before
      door = before.then(() => own)
      try {
        await turn(before, signal)
        await turn(Promise.all(running), signal)
        return await track(work)
      } finally {
        open()
      }
    },
  }
}

function turn(opened: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(noTurn)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    void opened.then(() => {
      signal.removeEventListener('abort', leave)
      resolve()
    })
  })
}

import type { Attempted, Left } from './attempted.ts'

/**
 * Work that came again may have killed its worker. It runs alone, so that only the guilty one dies another time and its
 * neighbours are not counted among those who were there each time (I8).
 */
export interface Quarantine {
  /** It is left with `noTurn` when the signal is aborted before its turn came. */
  pass<Value>(
    input: { readonly isSuspect: boolean; readonly signal: AbortSignal },
    work: () => Promise<Attempted<Value>>,
  ): Promise<Attempted<Value>>
}

/** Not a failure of the work: it waited for somebody else until its time was over. */
export const noTurn: Left = { kind: 'left', cause: new Error('its turn did not come') }

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
        return (await isItsTurn(before, signal)) ? track(work) : noTurn
      }
      let open = (): void => undefined
      const own = new Promise<void>((resolve) => {
        open = resolve
      })
      // who gives up waiting must not open the door of the one before
      door = before.then(() => own)
      try {
        const isAlone = (await isItsTurn(before, signal)) && (await isItsTurn(Promise.all(running), signal))
        return isAlone ? await track(work) : noTurn
      } finally {
        open()
      }
    },
  }
}

function isItsTurn(opened: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const leave = (): void => resolve(false)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    void opened.then(() => {
      signal.removeEventListener('abort', leave)
      resolve(true)
    })
  })
}

/** How long a model that nobody asks stays in memory. One setting for the process, as its memory is one. */
let restAfterMs = Infinity

/** 0 keeps models for good. */
export function letModelsRestAfter(seconds: number): void {
  restAfterMs = seconds === 0 ? Infinity : seconds * 1000
}

interface ModelRest {
  /** Nobody waits for it, and it does nothing. */
  begin(): void
  end(): void
}

/** Calls `rest` when nobody has asked for long enough. It keeps no process alive. */
export function openModelRest(rest: () => void): ModelRest {
  let timer: NodeJS.Timeout | undefined
  const end = (): void => clearTimeout(timer)
  return {
    begin() {
      end()
      if (restAfterMs !== Infinity) timer = setTimeout(rest, restAfterMs).unref()
    },
    end,
  }
}

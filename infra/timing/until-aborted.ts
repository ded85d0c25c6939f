/** Rejects with the signal's reason as soon as it is aborted; what was begun goes on for nobody. */
export function untilAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    void work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

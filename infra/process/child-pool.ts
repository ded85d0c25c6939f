/** Children of one kind: all that run, and those of them that wait for work. */
interface ChildPool<Child, Seed> {
  /** How many run, also those that wait. */
  readonly size: number
  readonly waiting: number
  all(): readonly Child[]
  /** The one that began to wait last. */
  takeWaiting(): Child | undefined
  start(seed: Seed): Child
  letWait(child: Child): void
  /** It does not wait any more, because it is about to end: whoever came then would end with it. */
  forget(child: Child): void
  /** Ends every one, also those at work. */
  close(): Promise<void>
}

interface PoolOptions<Child, Seed> {
  /** `seed`: what it is started with. */
  readonly start: (seed: Seed) => Child
  readonly end: (child: Child) => void
}

export function createChildPool<Child extends { readonly ended: Promise<unknown> }, Seed = void>(
  options: PoolOptions<Child, Seed>,
): ChildPool<Child, Seed> {
  const running = new Set<Child>()
  const waiting: Child[] = []

  function forget(child: Child): void {
    const at = waiting.indexOf(child)
    if (at >= 0) waiting.splice(at, 1)
  }

  return {
    get size() {
      return running.size
    },
    get waiting() {
      return waiting.length
    },
    all: () => [...running],
    takeWaiting: () => waiting.pop(),
    start(seed) {
      const started = options.start(seed)
      running.add(started)
      void started.ended.then(() => {
        running.delete(started)
        forget(started)
      })
      return started
    },
    letWait: (child) => void waiting.push(child),
    forget,
    async close() {
      for (const child of running) options.end(child)
      await Promise.all(Array.from(running, ({ ended }) => ended))
    },
  }
}

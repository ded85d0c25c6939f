/**
 * Work that came again may have killed its worker. It runs alone, so that only the guilty one dies another time and its
 * neighbours are not counted among those who were there each time (I8).
 */
export interface Quarantine {
  pass<Result>(isSuspect: boolean, work: () => Promise<Result>): Promise<Result>
}

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
    async pass(isSuspect, work) {
      const before = door
      if (!isSuspect) {
        await before
        return track(work)
      }
      let open = (): void => undefined
      door = new Promise<void>((resolve) => {
        open = resolve
      })
      await before
      await Promise.all(running)
      return track(work).finally(open)
    },
  }
}

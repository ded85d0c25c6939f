// oxlint-disable-next-line typescript/no-explicit-any -- the tests read what a client would, without its types
export type EventWire = Record<string, any> & { readonly type: string }

/** Events as they come, for a test that waits for one after the other. */
export interface EventLog {
  readonly events: EventWire[]
  add(event: object): void
  /** The event of this type that comes next after those taken so far. Waits as long as the test may last. */
  next(type: string): Promise<EventWire>
  only(type: string): EventWire[]
}

export function anEventLog(): EventLog {
  const events: EventWire[] = []
  const waiting: (() => void)[] = []
  let taken = 0
  return {
    events,
    add(event) {
      events.push(event as EventWire)
      for (const wake of waiting.splice(0)) wake()
    },
    async next(type) {
      while (true) {
        const found = events.findIndex((event, at) => at >= taken && event.type === type)
        if (found >= 0) {
          taken = found + 1
          return events[found]!
        }
        await new Promise<void>((resolve) => void waiting.push(resolve))
      }
    },
    only: (type) => events.filter((event) => event.type === type),
  }
}

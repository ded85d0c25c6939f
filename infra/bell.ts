/** Wakes one who waits. A ring that nobody waits for is heard by the next. */
export interface Bell {
  ring(): void
  /** Resolves with the next ring, or after this time. */
  heard(withinMs: number): Promise<void>
}

export function aBell(): Bell {
  let isRung = false
  let wake = (): void => undefined
  return {
    ring() {
      isRung = true
      wake()
    },
    async heard(withinMs) {
      if (!isRung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isRung = false
    },
  }
}

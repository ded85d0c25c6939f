/** Wakes one who waits. A ring that nobody waits for is heard by the next. */
interface Bell {
  ring(): void
  /** Whether it was rung within this time; resolves with the ring. */
  heard(withinMs: number): Promise<boolean>
}

export function aWakeUp(): Bell {
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
      const wasRung = isRung
      isRung = false
      return wasRung
    },
  }
}

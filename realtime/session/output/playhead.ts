/** Where the client is in playing what it was sent, assuming it plays at once and does not stop. */
export interface Playhead {
  /** How much audio is sent and not played yet. */
  aheadMs(nowMs: number): number
  sent(ms: number, nowMs: number): void
  /** Playing stopped: somebody spoke. */
  cut(): void
}

export function createPlayhead(): Playhead {
  let playsUntilMs = Number.NEGATIVE_INFINITY
  return {
    aheadMs: (nowMs) => Math.max(0, playsUntilMs - nowMs),
    sent(ms, nowMs) {
      playsUntilMs = Math.max(playsUntilMs, nowMs) + ms
    },
    cut() {
      playsUntilMs = Number.NEGATIVE_INFINITY
    },
  }
}

import type { Faults } from '../../actors/ports.ts'

/** A process that stands still at one of its named points until the test lets it go on. */
interface HeldFaults extends Faults {
  /** Resolves when somebody has come to the point. */
  readonly reached: Promise<void>
  release(): void
}

export function heldAt(name: string): HeldFaults {
  let arrive: () => void
  let release: () => void
  const reached = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    reached,
    release: () => release(),
    async point(at) {
      if (at !== name) return
      arrive()
      await released
    },
  }
}

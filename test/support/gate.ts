import type { FaultPoint } from '../../actors/fault-points.ts'
import type { Faults } from '../../actors/ports.ts'

/** Holds whoever comes to a point first until the test lets go, so that something can happen exactly there. */
interface HeldGate {
  readonly faults: Faults
  readonly reached: Promise<void>
  open(): void
}

export function aGate(point: FaultPoint): HeldGate {
  let reach = (): void => undefined
  let open = (): void => undefined
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const opened = new Promise<void>((resolve) => (open = resolve))
  return {
    faults: {
      async point(at) {
        if (at !== point) return
        reach()
        await opened
      },
    },
    reached,
    open: () => open(),
  }
}

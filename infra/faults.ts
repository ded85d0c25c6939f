import { faultPoints } from '../actors/fault-points.ts'
import type { FaultPoint } from '../actors/fault-points.ts'
import type { Faults } from '../actors/ports.ts'

/** What production runs with: the points are there, nothing happens at them. */
export const noFaults: Faults = { point: () => Promise.resolve() }

/** `point:kill` ends the process at that point as `kill -9` would. */
export const faultSettings = faultPoints.map((point) => `${point}:kill` as const)
export type FaultSetting = `${FaultPoint}:kill`

export function configuredFaults(setting: FaultSetting | 'none'): Faults {
  if (setting === 'none') return noFaults
  return {
    point(at) {
      if (setting !== `${at}:kill`) return Promise.resolve()
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => undefined)
    },
  }
}

import { faultPoints } from '../../actors/fault-points.ts'
import type { FaultPoint } from '../../actors/fault-points.ts'
import type { Faults } from '../../actors/ports.ts'

/** What production runs with: the points are there, nothing happens at them. */
export const noFaults: Faults = { point: () => Promise.resolve() }

const actions = ['kill', 'freeze', 'throw'] as const
type FaultAction = (typeof actions)[number]

/**
 * What happens when the process comes to the point for the first time: `kill` ends it as `kill -9` would, `freeze` stops it until
 * somebody lets it go on (SIGCONT), `throw` is an error that nobody foresaw.
 */
export const faultSettings = faultPoints.flatMap((point) => actions.map((action) => `${point}:${action}` as const))
type FaultSetting = `${FaultPoint}:${FaultAction}`

export function configuredFaults(setting: FaultSetting | 'none'): Faults {
  if (setting === 'none') return noFaults
  let isStruck = false
  return {
    async point(at) {
      const action = actions.find((one) => setting === `${at}:${one}`)
      if (!action || isStruck) return
      isStruck = true
      await strike(action, at)
    },
  }
}

function strike(action: FaultAction, at: FaultPoint): Promise<void> {
  switch (action) {
    case 'kill':
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => undefined)
    case 'freeze':
      process.kill(process.pid, 'SIGSTOP')
      return Promise.resolve()
    case 'throw':
      return Promise.reject(new Error(`a test throws at ${at}`))
  }
}

import type { TrialPorts } from '../../actors/attempt/trial.ts'
import type { Timer } from '../../actors/ports.ts'
import type { Process, World } from './world.ts'

const firstMs = 500
const lastMs = 15_000

/** On virtual time. */
export function timerIn(world: World, process: Process): Timer {
  return {
    after(ms, run) {
      let isCalledOff = ms === Infinity
      if (!isCalledOff) void world.sleep(process, ms).then(() => isCalledOff || run())
      return () => {
        isCalledOff = true
      }
    },
  }
}

/** On virtual time. */
export function pauseIn(world: World, process: Process): TrialPorts['pauseAfter'] {
  return (failures, signal) => {
    const ms = Math.min(lastMs, firstMs * 2 ** (failures - 1))
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end)
        resolve()
      }
      if (signal.aborted) return end()
      signal.addEventListener('abort', end)
      void world.sleep(process, world.random.between(ms / 2, ms)).then(end)
    })
  }
}

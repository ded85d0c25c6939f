import type { Faults } from '../actors/ports.ts'

/** What production runs with: the points are there, nothing happens at them. */
export const noFaults: Faults = { point: () => Promise.resolve() }

/**
 * `FAULTS=point:kill` ends the process at that point as `kill -9` would; `point:throw` fails the step once. For tests of
 * what a crash leaves behind.
 */
export function configuredFaults(setting: string): Faults {
  if (setting === '') return noFaults
  const [name, action] = setting.split(':')
  let armed = true
  return {
    point(at) {
      if (!armed || at !== name) return Promise.resolve()
      armed = false
      if (action === 'kill') process.kill(process.pid, 'SIGKILL')
      if (action === 'throw') throw new Error(`fault at ${at}`)
      // killed, or told to stand still: either way this step never ends
      return new Promise(() => undefined)
    },
  }
}

import { epochMs } from './world.ts'
import type { Process, World } from './world.ts'

const skewsMs = [0, 0, 700, 300_000, 7_200_000] as const

/** A process with a clock of its own, which is wrong by a little or by hours, and too fast or too slow. */
export function startProcess(world: World, name: string): Process {
  const { random } = world
  const skewMs = random.pick(skewsMs) * (random.chance(0.5) ? 1 : -1)
  const pace = 1 + (random.next() - 0.5) / 50
  const process: Process = {
    name,
    clock: {
      nowMs: () => epochMs + skewMs + Math.round(world.nowMs() * pace),
      elapsedMs: () => world.nowMs() * pace,
    },
    isAlive: true,
    mayDie: true,
    isStopping: false,
    pausedUntilMs: 0,
    ongoing: new Set(),
    whenDead: () => undefined,
    whenItStores: () => undefined,
  }
  world.processes.add(process)
  return process
}

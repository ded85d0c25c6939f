import { setTimeout as pause } from 'node:timers/promises'

import type { Area, History } from '../history.ts'
import { begin } from './perform.ts'
import type { NemesisScene } from './scene.ts'
import type { PlannedFault } from './plan.ts'

interface Surroundings {
  readonly history: History
  readonly say: (line: string) => void
}

/** Does what is planned, when it is planned; resolves when the last fault is over. Two of one area never overlap. */
export async function torment(plan: readonly PlannedFault[], scene: NemesisScene, around: Surroundings): Promise<void> {
  const { history } = around
  const busy = new Map<Area, Promise<void>>()
  await Promise.all(
    plan.map(async (fault) => {
      await pause(Math.max(0, fault.atMs - history.nowMs()))
      const before = busy.get(fault.area)
      const done = (before ?? Promise.resolve()).then(() => one(fault, scene, around))
      busy.set(fault.area, done)
      await done
    }),
  )
}

async function one({ kind, area, ms, pick }: PlannedFault, scene: NemesisScene, around: Surroundings): Promise<void> {
  const { history, say } = around
  const atMs = history.nowMs()
  const tell = (what: string): void => say(`${(history.nowMs() / 1000).toFixed(1).padStart(7)} s  ${what}`)
  try {
    const begun = await begin(kind, scene, pick)
    tell(`${kind}: ${begun.what}`)
    const over = history.faulted({ kind, area, what: begun.what, atMs })
    await pause(ms)
    await begun.end()
    over()
    tell(`${kind} is over`)
  } catch (error) {
    history.complain('faults', `${kind}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

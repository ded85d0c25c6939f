import { faultPoints } from '../../actors/fault-points.ts'
import type { FaultPoint } from '../../actors/fault-points.ts'

/** What a process is at when it comes to one of its points. Each scene is played in test/flow with a kill, a freeze and an error. */
export const scenes = ['upload', 'transfer', 'submit', 'purge', 'work', 'sweep'] as const
type FaultScene = (typeof scenes)[number]

const begins: Readonly<Record<FaultScene, RegExp>> = {
  upload: /^upload\./,
  transfer: /^transfer\./,
  submit: /^submit\./,
  purge: /^purge\./,
  work: /^(?:issue|step|plan|chunk|settle|assemble|batch|notice)\./,
  sweep: /^sweep\./,
}

export function pointsOf(scene: FaultScene): readonly FaultPoint[] {
  return faultPoints.filter((point) => begins[scene].test(point))
}

import type { BatchPorts } from '../../actors/batch/actor.ts'
import type { Log } from '../../actors/ports.ts'
import type { RunPorts } from '../../actors/run/ports.ts'
import type { Process } from './world.ts'

/** The ports of the domain, as one process has them. */
export interface Domain {
  readonly process: Process
  readonly file: RunPorts & { readonly log: Log }
  readonly batch: BatchPorts
}

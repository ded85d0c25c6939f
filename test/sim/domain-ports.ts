import type { BatchPorts } from '../../actors/batch/actor.ts'
import type { BatchWork, Log, WorkQueue } from '../../actors/ports.ts'
import type { RunPorts } from '../../actors/run/ports.ts'
import type { WebhookWork } from '../../actors/webhook/protocol.ts'
import type { Process } from './world.ts'

/** The ports of the domain, as one process has them. */
export interface Domain {
  readonly process: Process
  readonly file: RunPorts & { readonly log: Log }
  readonly batch: BatchPorts & Pick<RunPorts, 'blobs'>
  /** What a sweeper asks for besides. */
  readonly queues: {
    readonly fileQueue: BatchWork
    readonly chunkQueue: BatchWork
    readonly webhookQueue: WorkQueue<WebhookWork>
  }
}

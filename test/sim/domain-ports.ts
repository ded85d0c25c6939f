import type { BatchPorts } from '../../actors/batch/actor.ts'
import type { InquiryPorts } from '../../actors/inquiry/enter.ts'
import type { BatchWork, Log, WorkQueue } from '../../actors/ports.ts'
import type { InquiryWork } from '../../actors/inquiry/protocol.ts'
import type { RunPorts } from '../../actors/run/ports.ts'
import type { WebhookWork } from '../../actors/webhook/protocol.ts'
import type { Process } from './world.ts'

/** The ports of the domain, as one process has them. */
export interface Domain {
  readonly process: Process
  readonly file: RunPorts & { readonly log: Log }
  readonly batch: BatchPorts & Pick<RunPorts, 'blobs'>
  /** What is wanted of transcripts, and who may bring it. */
  readonly inquiries: InquiryPorts &
    Pick<RunPorts, 'blobs' | 'clock'> & { readonly inquiryQueue: WorkQueue<InquiryWork> }
  /** What a sweeper asks for besides. */
  readonly queues: {
    readonly fileQueue: BatchWork
    readonly chunkQueue: BatchWork
    readonly webhookQueue: WorkQueue<WebhookWork>
  }
}

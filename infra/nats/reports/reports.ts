import type { Reports } from '../../../actors/run/ports.ts'
import { versioned } from '../connection/form.ts'
import { publish } from '../queue/publish.ts'
import type { PublishClient } from '../queue/publish.ts'
import { batchShard, fileShard, settledStream, shardSubject } from '../topology/queue-names.ts'
import { parseReport } from './report-schema.ts'
import type { Report } from './report-schema.ts'

export function openReports(client: PublishClient): Reports {
  const send = async (report: Report, { shard, id }: { shard: number; id: string }): Promise<void> => {
    // as the other side reads it: what it would not understand must not leave, and what it does not need stays here
    const body = parseReport(report)
    if (!body) throw new Error('this is not a report that a worker would understand')
    await publish(client, { stream: settledStream.name, subject: shardSubject(shard), text: versioned(body), id })
  }
  return {
    toFile: (ref, command, id) => send({ to: 'file', ref, command }, { shard: fileShard(ref), id }),
    toBatch: ({ owner, batchId }, command, id) =>
      send({ to: 'batch', owner, batchId, command }, { shard: batchShard(batchId), id }),
  }
}

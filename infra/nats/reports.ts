import type { Reports } from '../../actors/ports.ts'
import { publish } from './publish.ts'
import type { PublishClient } from './publish.ts'
import { batchShard, fileShard, settledStream, shardSubject } from './queue-names.ts'
import type { Report } from './report-schema.ts'

export function openReports(client: PublishClient): Reports {
  const send = (report: Report, { shard, id }: { shard: number; id: string }): Promise<void> =>
    publish(client, { stream: settledStream.name, subject: shardSubject(shard), body: report, id })
  return {
    toFile: ({ owner, batchId, fileId, index }, command, id) =>
      send(
        { to: 'file', ref: { owner, batchId, fileId, index }, command },
        { shard: fileShard({ batchId, fileId }), id },
      ),
    toBatch: ({ owner, batchId }, command, id) =>
      send({ to: 'batch', owner, batchId, command }, { shard: batchShard(batchId), id }),
  }
}

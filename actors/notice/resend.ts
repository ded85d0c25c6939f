import type { OpenBatch } from '../batch/state.ts'
import type { Outbox, Records } from '../ports.ts'
import type { Notices } from '../services.ts'
import { again } from './decide.ts'
import type { NoticeWork } from './protocol.ts'
import { enqueueNotice } from './queue.ts'
import type { Notice } from './state.ts'
import { writeNotice } from './write.ts'

/** What users ask of the calls that their batches owe them. */
export function openNotices(ports: { notices: Records<Notice>; noticeQueue: Outbox<NoticeWork> }): Notices {
  return {
    read: async (batchId) => (await ports.notices.read(batchId))?.value,
    async resend({ owner, batchId }: OpenBatch) {
      const notice = await writeNotice(ports.notices, batchId, again)
      await enqueueNotice(ports.noticeQueue, { owner, batchId, round: notice.round, attempt: 1 })
      return notice
    },
  }
}

import type { Notices } from '../services.ts'
import { noticeActor } from './actor.ts'
import type { NoticeRecordPorts } from './actor.ts'

/** What users ask of the calls that their batches owe them. */
export function openNotices(ports: NoticeRecordPorts): Notices {
  const notice = noticeActor(ports)
  return {
    read: async (batchId) => (await ports.notices.read(batchId))?.value,
    async resend(of) {
      const stored = await notice.tell(of, [{ type: 'Resend' }])
      if (!stored) throw new Error('a call that was asked for again is not recorded')
      return stored
    },
  }
}

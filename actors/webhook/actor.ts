import type { OpenBatch } from '../batch/state.ts'
import { decideAll, durableActor } from '../durable-actor.ts'
import type { DurableActor } from '../durable-actor.ts'
import type { Faults, Outbox, Records } from '../ports.ts'
import { decide } from './decide.ts'
import type { NoticeCommand, NoticeWork } from './protocol.ts'
import { enqueueNotice } from './queue.ts'
import type { Notice } from './state.ts'

export interface NoticeRecordPorts {
  readonly notices: Records<Notice>
  readonly noticeQueue: Outbox<NoticeWork>
  readonly faults: Faults
}

type NoticeActor = DurableActor<OpenBatch, Notice, NoticeCommand>

/** What became of the calls that a batch owes, and which one comes next. */
export function noticeActor({ notices, noticeQueue, faults }: NoticeRecordPorts): NoticeActor {
  return durableActor({
    records: notices,
    keyOf: ({ batchId }: OpenBatch) => batchId,
    decide: (notice: Notice | undefined, commands: readonly NoticeCommand[]) => decideAll(decide, notice, commands),
    perform: ({ round, attempt, delayMs }, { ref: { owner, batchId } }) =>
      enqueueNotice(noticeQueue, { owner, batchId, round, attempt }, delayMs),
    async passed(place, commands) {
      const isAttempt = commands.some(({ type }) => type === 'Attempted')
      if (place === 'commit' && isAttempt) await faults.point('notice.after-record')
    },
  })
}

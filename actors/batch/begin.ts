import type { Seen } from '../last-seen.ts'
import type { BatchListing } from '../listing/ports.ts'
import type { Log } from '../ports.ts'
import type { Reports } from '../run/ports.ts'
import { isVisible } from '../upload/state.ts'
import type { FileRecords } from '../upload/ports.ts'
import { issueFile } from './issue.ts'
import type { IssuePorts } from './issue.ts'
import { sendable } from './sent.ts'
import type { BatchOrder } from './protocol.ts'
import type { BatchState, Member, OpenBatch } from './state.ts'

export interface BeginPorts {
  readonly reports: Pick<Reports, 'toBatch'>
  /** For the only file of a batch; without them a worker issues it. */
  readonly issuing?: IssuePorts & { readonly files: Pick<FileRecords, 'read'> }
  readonly batchListing: Pick<BatchListing, 'lastHead'>
  readonly log: Log
}

/**
 * What a batch owes when it was accepted. Who submits the only file of one issues it at once, since it knows all that is needed; of others, whoever is
 * woken issues as many as may be under way. Accepted is accepted: who is neither issued nor woken here is woken by the sweeper.
 */
export async function beginBatch(
  ports: BeginPorts,
  accepted: Seen<BatchState>,
  { members }: BatchOrder,
): Promise<void> {
  const [only, ...others] = members
  if (only && others.length === 0 && (await isIssued(ports, accepted, only))) return
  await wake(ports, accepted.value)
}

async function isIssued(ports: BeginPorts, accepted: Seen<BatchState>, member: Member): Promise<boolean> {
  const { issuing, batchListing, log } = ports
  const { value: batch, revision } = accepted
  if (!issuing) return false
  try {
    if (!(await isThere(issuing, member))) return false
    const listHead = batchListing.lastHead(batch.owner)
    const sent = { ...sendable(accepted), ...(listHead && { listHead }) }
    await issueFile(issuing, { batch, revision, index: 0, member, isTied: true, sent })
    return true
  } catch (error) {
    log.warn('the only file of a batch is left to a worker', { batchId: batch.batchId, error })
    return false
  }
}

/** From when its batch is there, whoever deletes a file finds it in that: so it is looked for now, and not again. */
async function isThere({ files }: NonNullable<BeginPorts['issuing']>, { fileId, source }: Member): Promise<boolean> {
  if (source.type === 'url') return true
  const file = await files.read(fileId)
  return file !== undefined && isVisible(file.value)
}

async function wake({ reports, log }: BeginPorts, { owner, batchId }: OpenBatch): Promise<void> {
  try {
    await reports.toBatch({ owner, batchId }, { type: 'Wake' }, `submitted:${batchId}`)
  } catch (error) {
    log.warn('batch waits for the sweeper', { batchId, error })
  }
}

import type { Audit } from '../../actors/audit/ports.ts'
import type {
  BegunRecording,
  TurnStore,
  SessionRecordings,
  StoredRecording,
} from '../../actors/session-recording/ports.ts'
import { terminal } from '../../actors/failure.ts'
import type { UploadId } from '../../actors/ids.ts'
import { isVisible } from '../../actors/upload/state.ts'
import type { VisibleFile } from '../../actors/upload/state.ts'
import { submitUnderKey } from '../batches/submit.ts'
import type { SubmitRouteLimits, SubmitRoutePorts } from '../batches/submit.ts'
import { acceptOne, uploadAnswers } from '../files/accept.ts'
import type { AcceptPorts } from '../files/accept.ts'
import { receiveOne } from '../files/intake.ts'
import { claimKey, underKey } from '../idempotency.ts'
import type { ClaimOutcome } from '../idempotency.ts'
import { flacFile } from './flac-file.ts'
import { optionsFrom } from './hinted-options.ts'

export interface FinishRecordingPorts extends AcceptPorts, SubmitRoutePorts {
  readonly sessionRecordings: SessionRecordings
  readonly turnStore: TurnStore
  readonly audit: Audit
}

/**
 * Takes a recording that has ended one step further: to a file of its owner, as if they had uploaded it, then to a batch, as if they had submitted
 * it. Each step is done under a key of its own, so that of several gateways one does it, and who comes after a crash finds what was done. Resolves
 * with whether all of it is done.
 */
export async function finishRecording(
  ports: FinishRecordingPorts,
  limits: SubmitRouteLimits,
  recording: BegunRecording,
): Promise<boolean> {
  const stored = await ports.sessionRecordings.read(recording)
  // nobody said anything that was stored
  if (stored.frames === 0) return true
  if (!(await fileOf(ports, recording))) await upload(ports, recording, stored)
  const file = await fileOf(ports, recording)
  if (file?.status === 'pending' || file?.status === 'uploading') return false
  // it was deleted meanwhile, or could not be stored, which its record says
  if (file?.status === 'completed') await submit(ports, limits, recording)
  return true
}

async function fileOf(ports: FinishRecordingPorts, { fileId }: BegunRecording): Promise<VisibleFile | undefined> {
  const file = (await ports.fileRecords.read(fileId))?.value
  return file && isVisible(file) ? file : undefined
}

async function upload(ports: FinishRecordingPorts, recording: BegunRecording, stored: StoredRecording): Promise<void> {
  const { owner, fileId } = recording
  const uploadId = ports.ids.nextUploadId()
  const answers = { ...ports, ...uploadAnswers(ports, owner) }
  await underKey(answers, { key: claimKey('session', owner, fileId), id: uploadId }, async (claim) => {
    if ('held' in claim) await receive(ports, { recording, stored, claim, uploadId })
  })
}

interface Receiving {
  readonly recording: BegunRecording
  readonly stored: StoredRecording
  readonly claim: Extract<ClaimOutcome, { held: unknown }>
  readonly uploadId: UploadId
}

async function receive(ports: FinishRecordingPorts, { recording, stored, claim, uploadId }: Receiving): Promise<void> {
  const { owner, fileId, sessionId, begunAtMs } = recording
  const startedMs = ports.clock.elapsedMs()
  await ports.storedQuota.admit(owner, { files: 1, bytes: stored.sizeBytes })
  const reception = await ports.receiving.receive({ uploadId, owner, expectedBytes: stored.sizeBytes })
  try {
    const coming = { owner, fileId, name: `${nameOf(recording)}.flac`, content: flacFile(stored), tooLarge: '' }
    const file = await receiveOne(ports, { uploadId, reception, isApart: true }, coming)
    if ('reason' in file) throw terminal('invalid_request', file.reason)
    // before the file: who finds that finds them
    await ports.turnStore.store(recording, { sessionId, begunAtMs, ...(await stored.notes()) })
    await acceptOne(ports, { file, startedMs, reception, claim })
    await ports.audit({ who: owner, what: 'keepSession', objects: [fileId, uploadId], from: '', status: 202 })
  } finally {
    await reception.discard()
  }
}

async function submit(
  ports: FinishRecordingPorts,
  limits: SubmitRouteLimits,
  recording: BegunRecording,
): Promise<void> {
  const { owner, fileId, callbackUrl } = recording
  const { hints = {} } = (await ports.turnStore.read(recording)) ?? {}
  await submitUnderKey(ports, limits, {
    owner,
    key: claimKey('session-batch', owner, fileId),
    body: {
      file_ids: [fileId],
      name: nameOf(recording),
      profile: 'accurate',
      channels: 'separate',
      ...(await optionsFrom(ports.vocabularies, owner, hints)),
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
    },
  })
}

/** By when it began. */
function nameOf({ begunAtMs }: BegunRecording): string {
  const [day, time = ''] = new Date(begunAtMs).toISOString().split('T')
  return `Conversation ${day} ${time.slice(0, 5).replace(':', '.')} UTC`
}

import type { AuditEvent } from '../actors/audit/ports.ts'
import type { Caller } from '../actors/identity.ts'
import type { OpenedShareLink } from '../actors/share-link/ports.ts'

/** What changes something, or gives away a recording or a secret. Who looks how far something is, is nobody's business. */
const audited: ReadonlySet<string> = new Set([
  'uploadFiles',
  'beginResumableUpload',
  'continueResumableUpload',
  'dropResumableUpload',
  'deleteFiles',
  'getFileAudio',
  'submitBatch',
  'renameBatch',
  'deleteBatch',
  'cancelBatch',
  'cancelFiles',
  'retryBatch',
  'retryFiles',
  'downloadBatch',
  'getUnredactedResult',
  'editFileResult',
  'transcribeAgain',
  'createVocabulary',
  'changeVocabulary',
  'deleteVocabulary',
  'askInquiry',
  'deleteInquiry',
  'makeShareLink',
  'revokeShareLink',
  'readShared',
  'getSharedAudio',
  'createTranscription',
  'createTranslation',
  'alignText',
  'getWebhookSecret',
  'sendWebhookAgain',
  'makeClientSecret',
  'makeSession',
  'makeTranscriptionSession',
  'makeApiKey',
  'rotateApiKey',
  'revokeApiKey',
  'putPronunciations',
])

/** Nobody knows who asks, or it is known that they may not. */
const refusals: ReadonlySet<number> = new Set([401, 403])

const idFields = [
  'batch_id',
  'batch_upload_id',
  'resumable_upload_id',
  'file_id',
  'key_id',
  'link_id',
  'file_ids',
  'id',
] as const

interface AnsweredRequest {
  readonly requestId: string
  readonly route: string | undefined
  readonly caller: Caller | undefined
  /** What came with a share link instead. */
  readonly shared: OpenedShareLink | undefined
  readonly objects: readonly string[]
  readonly status: number
  readonly from: string
}

/** Nothing when this is not written down. */
export function auditEventOf(answered: AnsweredRequest): AuditEvent | undefined {
  const { route: what = 'none', caller, shared, status, from, requestId } = answered
  if (!audited.has(what) && !refusals.has(status)) return undefined
  const who = caller?.principal.owner ?? 'nobody'
  const by = {
    ...(caller?.keyId !== undefined && { keyId: caller.keyId }),
    ...(shared && { linkId: shared.link.linkId }),
  }
  const objects = shared ? [shared.run.fileId] : answered.objects
  return { who, ...by, what, objects, from, status, requestId }
}

/** Ids that a request or its answer names, and nothing else of them. */
export function objectsNamed(...parts: readonly unknown[]): string[] {
  const found = parts.flatMap((part) => (isObject(part) ? idFields.flatMap((field) => part[field]) : []))
  return [...new Set(found.filter((id) => typeof id === 'string'))]
}

function isObject(part: unknown): part is Readonly<Record<string, unknown>> {
  return typeof part === 'object' && part !== null
}

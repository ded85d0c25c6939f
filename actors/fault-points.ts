/**
 * Where a process may be killed by a test: after each step that leaves something behind which the next start must
 * recognise. They are listed once, so that a misspelt one does not compile and a new one is tested without being asked.
 */
export const gatewayPoints = [
  'upload.after-receive',
  'upload.after-commit',
  'upload.after-file-records',
  'upload.after-upload-record',
  'upload.after-listing',
  'upload.after-accept',
  'upload.before-answer',
  'transfer.after-begin',
  'transfer.after-blob',
  'transfer.after-record',
  'transfer.after-listing',
  'submit.after-open',
  'submit.after-quota',
  'submit.after-members',
  'submit.after-batch',
  'submit.after-wake',
  'submit.before-answer',
  'purge.after-promise',
  'purge.after-tombstones',
  'purge.after-blobs',
] as const

/** In the workers, from taking up a file to the end of its batch. */
export const workPoints = [
  'issue.after-record',
  'issue.after-chunk',
  'step.after-begin',
  'plan.after-store',
  'plan.after-commit',
  'chunk.after-start',
  'chunk.after-hearing',
  'chunk.after-result',
  'chunk.after-report',
  'chunk.after-retry',
  'settle.after-commit',
  'settle.after-effects',
  'assemble.after-store',
  'batch.after-commit',
  'batch.after-announce',
  'batch.after-quota',
  'notice.after-call',
  'notice.after-record',
  'sweep.after-wake',
] as const

export const faultPoints = [...gatewayPoints, ...workPoints] as const

export type FaultPoint = (typeof faultPoints)[number]

import type { KeyScope } from '../actors/identity.ts'
import type { Route } from './route.ts'

/** Which scope an API key needs at which route, by the route's id. What is public, or opened by a share link, is not here, and everything else is. */
const scopes: Readonly<Record<string, KeyScope>> = {
  uploadFiles: 'files',
  getUpload: 'files',
  listFiles: 'files',
  deleteFiles: 'files',
  getFileAudio: 'files',
  submitBatch: 'transcribe',
  listBatches: 'transcribe',
  listTranscribedFiles: 'transcribe',
  getCapacity: 'transcribe',
  getUsage: 'transcribe',
  renameBatch: 'transcribe',
  deleteBatch: 'transcribe',
  cancelBatch: 'transcribe',
  cancelFiles: 'transcribe',
  retryBatch: 'transcribe',
  retryFiles: 'transcribe',
  getBatchStatus: 'transcribe',
  getFileStatus: 'transcribe',
  watchBatch: 'transcribe',
  getBatchResults: 'transcribe',
  getFileResult: 'transcribe',
  getUnredactedResult: 'transcribe',
  editFileResult: 'transcribe',
  askInquiry: 'transcribe',
  listInquiries: 'transcribe',
  deleteInquiry: 'transcribe',
  transcribeAgain: 'transcribe',
  makeShareLink: 'share',
  listShareLinks: 'share',
  revokeShareLink: 'share',
  downloadBatch: 'transcribe',
  evaluate: 'transcribe',
  search: 'transcribe',
  createVocabulary: 'transcribe',
  listVocabularies: 'transcribe',
  readVocabulary: 'transcribe',
  changeVocabulary: 'transcribe',
  deleteVocabulary: 'transcribe',
  getWebhookSecret: 'transcribe',
  getWebhookStatus: 'transcribe',
  sendWebhookAgain: 'transcribe',
  createTranscription: 'transcribe',
  alignText: 'transcribe',
  listModels: 'transcribe',
  readModel: 'transcribe',
  speak: 'realtime',
  listVoices: 'realtime',
  listPronunciations: 'realtime',
  putPronunciations: 'realtime',
  makeClientSecret: 'realtime',
  makeSession: 'realtime',
  makeTranscriptionSession: 'realtime',
  openCall: 'realtime',
  openOlderCall: 'realtime',
  hangUpCall: 'realtime',
  listApiKeys: 'keys',
  makeApiKey: 'keys',
  rotateApiKey: 'keys',
  revokeApiKey: 'keys',
}

/** Undefined where nobody is asked which user they are. A route that was forgotten above does not start. */
export function scopeOf({ id, access }: Pick<Route, 'id' | 'access'>): KeyScope | undefined {
  const scope = scopes[id]
  if ((access !== 'user') !== (scope === undefined))
    throw new Error(`gateway/scopes.ts and the route ${id} differ on who may ask`)
  return scope
}

/** Ids are branded so that a file id cannot be passed where a batch id belongs; this file is the only one that makes them. */
export type FileId = string & { readonly __id: 'file' }
export type UploadId = string & { readonly __id: 'upload' }
export type BatchId = string & { readonly __id: 'batch' }
export type VocabularyId = string & { readonly __id: 'vocabulary' }
/** An upload that may come in several requests, as long as it is not finished; what it becomes then has ids of its own. */
export type ResumableId = string & { readonly __id: 'resumable' }

/** One spool and who works on it. It stays the same when a process starts again on that spool, or another takes it over. */
export type GatewayId = string & { readonly __id: 'gateway' }

/** A user as keys and paths may see them: a hash, never the text of a token (I14). */
export type Owner = string & { readonly __id: 'owner' }

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ownerPattern = /^[A-Za-z0-9_-]{22}$/

export function isFileId(text: string): text is FileId {
  return uuidPattern.test(text)
}

export function isUploadId(text: string): text is UploadId {
  return uuidPattern.test(text)
}

export function isBatchId(text: string): text is BatchId {
  return uuidPattern.test(text)
}

export function isVocabularyId(text: string): text is VocabularyId {
  return uuidPattern.test(text)
}

export function isResumableId(text: string): text is ResumableId {
  return uuidPattern.test(text)
}

export function isGatewayId(text: string): text is GatewayId {
  return uuidPattern.test(text)
}

export function isOwner(text: string): text is Owner {
  return ownerPattern.test(text)
}

/** Of all users. Ends in `/`. */
export const uploadsFolder = 'uploads/'

/** The storage key of an uploaded file. It holds ids only: a file name never reaches a path. */
export function uploadKey(input: { owner: Owner; uploadId: UploadId; fileId: FileId }): string {
  return `${uploadFolder(input)}${input.fileId}`
}

/** Everything that came with one upload. Ends in `/`. */
export function uploadFolder(input: { owner: Owner; uploadId: UploadId }): string {
  return `${uploadsFolder}${input.owner}/${input.uploadId}/`
}

/** Where it is noted that a gateway has an upload in hand. */
export function inHandKey(input: { gatewayId: GatewayId; uploadId: UploadId }): string {
  return `${input.gatewayId}.${input.uploadId}`
}

export interface ResumableRef {
  readonly owner: Owner
  readonly resumableId: ResumableId
}

/** One file in one batch: the same file may be transcribed again in another. `index` is its place in the batch. */
export interface RunRef {
  readonly owner: Owner
  readonly batchId: BatchId
  readonly fileId: FileId
  readonly index: number
}

/** Where the record of a file in a batch is kept; everything of one file is found by its id alone, for deletion. */
export function runKey(input: Pick<RunRef, 'fileId' | 'batchId'>): string {
  return `${input.fileId}.${input.batchId}`
}

/** Everything that transcribing a file ever stored, in whatever batch. Ends in `/`. */
export function fileFolder(input: Pick<RunRef, 'owner' | 'fileId'>): string {
  return `transcripts/${input.owner}/${input.fileId}/`
}

export function runFolder(input: Omit<RunRef, 'index'>): string {
  return `${fileFolder(input)}${input.batchId}/`
}

/** The sound of the chunks, apart from the rest so that it can go first. Ends in `/`. */
export function audioFolder(input: RunRef): string {
  return `${runFolder(input)}audio/`
}

export function chunkAudioKey(input: RunRef, chunk: number): string {
  return `${audioFolder(input)}${chunk}.wav`
}

export function planKey(input: RunRef): string {
  return `${runFolder(input)}plan`
}

/** What the chunks say, each by itself. Ends in `/`. */
export function chunkResultsFolder(input: RunRef): string {
  return `${runFolder(input)}chunk/`
}

export function chunkResultKey(input: RunRef, chunk: number): string {
  return `${chunkResultsFolder(input)}${chunk}`
}

/** What chunks said in the run that this one goes on with, where they are transcribed again. Ends in `/`. */
export function earlierChunksFolder(input: RunRef): string {
  return `${runFolder(input)}earlier/`
}

export function earlierChunkKey(input: RunRef, chunk: number): string {
  return `${earlierChunksFolder(input)}${chunk}`
}

export function transcriptKey(input: RunRef): string {
  return `${runFolder(input)}transcript`
}

/** A transcript with what was taken out of it, for its user alone. */
export function unredactedKey(input: RunRef): string {
  return `${runFolder(input)}unredacted`
}

/** A copy of the recording in which a tone stands for what was taken out of the transcript. */
export function bleepedAudioKey(input: Omit<RunRef, 'index'>): string {
  return `${runFolder(input)}bleeped.wav`
}

/** `summary`, `chapters`, `translation`, or a question by a hash of it: the same question is one inquiry. */
export interface InquiryRef extends RunRef {
  readonly inquiryId: InquiryId
}

export type InquiryId = string & { readonly __id: 'inquiry' }

const inquiryPattern = /^(?:summary|chapters|translation|question-[0-9a-f]{16})$/

export function isInquiryId(text: string): text is InquiryId {
  return inquiryPattern.test(text)
}

/** What is searched, of all users. Ends in `/`. */
export const allSearched = 'search/'

/** What is searched of all files of a user, apart from everything else, so that it is listed without the rest. Ends in `/`. */
export function searchFolder(owner: Owner): string {
  return `${allSearched}${owner}/`
}

export function fileSearchFolder(input: Pick<RunRef, 'owner' | 'fileId'>): string {
  return `${searchFolder(input.owner)}${input.fileId}/`
}

export function passagesKey(input: Omit<RunRef, 'index'>): string {
  return `${fileSearchFolder(input)}${input.batchId}`
}

/** Which file, in which batch, the passages, edits or links under a key are of. */
export function runOfPassages(key: string): Pick<RunRef, 'fileId' | 'batchId'> | undefined {
  const [fileId = '', batchId = ''] = key.split('/').slice(2)
  return isFileId(fileId) && isBatchId(batchId) ? { fileId, batchId } : undefined
}

/** What users made of their transcripts, of all users. Ends in `/`. */
export const allEdited = 'edits/'

/** What users made of the transcripts of a file, apart from them: those stay as they are. Ends in `/`. */
export function fileEditsFolder(input: Pick<RunRef, 'owner' | 'fileId'>): string {
  return `${ownerEditsFolder(input.owner)}${input.fileId}/`
}

export function ownerEditsFolder(owner: Owner): string {
  return `${allEdited}${owner}/`
}

export function editsFolder(input: Omit<RunRef, 'index'>): string {
  return `${fileEditsFolder(input)}${input.batchId}/`
}

/** One version, counted from 1. */
export function editsKey(input: Omit<RunRef, 'index'>, version: number): string {
  return `${editsFolder(input)}${version}`
}

/** Which version, of edits or words, is under a key; nothing where there is none. */
export function versionInKey(key: string): number | undefined {
  const [, version] = /\/(\d{1,9})$/.exec(key) ?? []
  return version === undefined ? undefined : Number(version)
}

/** The vocabularies of a user. Ends in `/`. */
export function ownerVocabulariesFolder(owner: Owner): string {
  return `vocabularies/${owner}/`
}

export function vocabularyFolder(input: { owner: Owner; id: VocabularyId }): string {
  return `${ownerVocabulariesFolder(input.owner)}${input.id}/`
}

/** One version, counted from 1. */
export function vocabularyKey(input: { owner: Owner; id: VocabularyId }, version: number): string {
  return `${vocabularyFolder(input)}${version}`
}

/** The words that a batch was submitted with. */
export function batchWordsKey(input: { owner: Owner; batchId: BatchId }): string {
  return `words/${input.owner}/${input.batchId}`
}

/** Links that show transcripts to whoever has them, of all users. Ends in `/`. */
export const allLinks = 'links/'

/** Those to the transcripts of a file. Ends in `/`. */
export function fileLinksFolder(input: Pick<RunRef, 'owner' | 'fileId'>): string {
  return `${allLinks}${input.owner}/${input.fileId}/`
}

export function linksFolder(input: Omit<RunRef, 'index'>): string {
  return `${fileLinksFolder(input)}${input.batchId}/`
}

export function linkKey(input: Omit<RunRef, 'index'>, linkId: string): string {
  return `${linksFolder(input)}${linkId}`
}

/** When the id was made, by the clock of who made it. */
export function madeAtMs(id: BatchId | FileId): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** Marks of those who took up work that had come again; `work` names it among all that is done for this file. Ends in `/`. */
export function trialFolder(input: RunRef, work: string): string {
  return `${runFolder(input)}trial/${work}/`
}

import type { z } from 'zod'

import { size } from '../../actors/bitset.ts'
import type { Editing } from '../../actors/edit/ports.ts'
import type { EditedTranscript, EditStanding, WrittenTranscript } from '../../actors/edit/state.ts'
import { terminal } from '../../actors/failure.ts'
import { runKey } from '../../actors/ids.ts'
import type { RunRef } from '../../actors/ids.ts'
import type { Clock } from '../../actors/ports.ts'
import { chunksOf } from '../../actors/run/state.ts'
import type { StepError } from '../../actors/run/state.ts'
import type { ReceiptSigner, Renderer, WritingOptions } from '../../actors/transcript/ports.ts'
import type { Receipt } from '../../actors/receipt/state.ts'
import type { FileResult, Segment, StoredPlan, StoredTranscript, Waveform } from '../../actors/transcript/state.ts'
import { detailsOf, hasTranscript, planOf } from './details.ts'
import type { Details } from './details.ts'
import { chunkTotalOf } from './read.ts'
import type { BatchFile, BatchReadPorts } from './read.ts'
import type { fileResult } from './result-schemas.ts'
import { audioExpiredSentence } from './file-schemas.ts'
import { presentSource } from './source-schema.ts'
import { chunkAttemptsOf, chunkErrorOf, chunkStatusOf, fileErrorsOf, fileStatusOf, isWorthRetry } from './standing.ts'

/** Files as callers see them. */

export type FileResultBody = Omit<z.input<typeof fileResult>, 'result' | 'waveform' | 'receipt'> & {
  readonly result?: FileResult
  readonly waveform?: Waveform
  readonly receipt?: { readonly content: Receipt; readonly jws: string }
}
type ChunkResultBody = NonNullable<FileResultBody['chunk_results']>[number]
type ErrorBody = NonNullable<FileResultBody['errors']>[number]

export interface PresentationRequest extends WritingOptions {
  readonly chunks: boolean
  readonly speech_information: boolean
  readonly waveform?: boolean
  readonly receipt?: boolean
  /** As it was transcribed, whatever was edited. */
  readonly original: boolean
  /** As it was then. */
  readonly version?: number | undefined
}

export interface Presenting extends Pick<BatchReadPorts, 'blobs' | 'runs' | 'log'> {
  readonly clock: Clock
  readonly renderer: Renderer
  readonly receipts: ReceiptSigner
  readonly editing: Pick<Editing, 'read'>
  readonly isDevelopment: boolean
}

const expiredSentence = 'The result is no longer kept: it was removed after the time that is set for results.'

/** Nothing when the file was deleted meanwhile. */
export async function fileResultOf(
  ports: Presenting,
  file: BatchFile,
  options: PresentationRequest,
): Promise<FileResultBody | undefined> {
  const numbers = options.chunks ? Array.from({ length: chunkTotalOf(file) }, (_, chunk) => chunk) : []
  const details = await detailsOf(ports.blobs, file, numbers)
  const isLost = hasTranscript(file) && !details.transcript
  if (isLost && (await isDeleted(ports, file))) return undefined
  const plan = options.chunks && details.summaries.size < numbers.length ? await planOf(ports.blobs, file) : undefined
  const errors = [...(file.run ? fileErrorsOf(file.run.progress) : []), ...(isLost ? [lost(ports, file)] : [])]
  const written = details.transcript && (await writtenAs(ports, file, { transcript: details.transcript, options }))
  return {
    file_id: file.ref.fileId,
    filename: file.filename,
    ...presentSource(file),
    status: fileStatusOf(file.run),
    ...(written && { result: presentResult(ports, written.transcript, options) }),
    ...(options.waveform && details.transcript?.waveform && { waveform: details.transcript.waveform }),
    ...(options.receipt && (await signedReceipt(ports, details))),
    ...(details.transcript?.sameAs && { taken_over_from: details.transcript.sameAs }),
    ...(details.again && { transcribed_again: details.again }),
    ...(written && file.run?.settings.keepUnredacted && { unredacted_kept: true }),
    ...(written?.edits && { edits: presentEdits(written.edits) }),
    ...(errors.length > 0 && { errors: errors.map(presentError) }),
    ...(isWorthRetry(file) && { can_retry: true }),
    ...(file.isAudioExpired && { audio_expired: audioExpiredSentence }),
    ...(options.chunks && { chunk_results: numbers.map((chunk) => presentChunk(file, chunk, { details, plan })) }),
    ...(ports.isDevelopment && chunkCounts(file)),
  }
}

async function signedReceipt(
  { receipts }: Presenting,
  { transcript }: Details,
): Promise<Pick<FileResultBody, 'receipt'>> {
  const content = transcript?.receipt
  return content ? { receipt: { content, jws: await receipts.sign(content) } } : {}
}

/** As its user left it, or as it was at the version that is asked for. */
async function writtenAs(
  { editing }: Presenting,
  { run }: BatchFile,
  { transcript, options }: { transcript: WrittenTranscript; options: PresentationRequest },
): Promise<EditedTranscript> {
  const version = options.original ? 0 : options.version
  const written = run ? await editing.read(run, transcript, version) : { transcript }
  if (!written) throw terminal('conflict', `Version ${version} of this transcript is not kept, or never was.`)
  return written
}

export function presentEdits(edits: EditStanding): NonNullable<FileResultBody['edits']> {
  return {
    version: edits.version,
    edited_at: new Date(edits.editedAtMs).toISOString(),
    ...(edits.undoVersion !== undefined && { undo_version: edits.undoVersion }),
    ...(edits.redoVersion !== undefined && { redo_version: edits.redoVersion }),
    oldest_version: edits.oldestVersion,
    notes: [...edits.notes],
  }
}

async function isDeleted({ runs }: Presenting, { ref }: BatchFile): Promise<boolean> {
  const run = (await runs.read(runKey(ref)))?.value
  return !run || run.progress.phase === 'gone'
}

/** Its time was over, or somebody took it out of our storage. The other files of the page are not to suffer for it. */
function lost({ log, clock }: Presenting, { ref, run }: BatchFile): StepError {
  const { fileId, batchId } = ref
  if (run?.progress.phase === 'finished' && run.progress.isExpired)
    return { code: 'expired', message: expiredSentence, attempts: 0, atMs: run.progress.finishedAtMs }
  log.error('transcript is missing', { fileId, batchId })
  return { code: 'not_found', message: 'The result is no longer in storage.', attempts: 0, atMs: clock.nowMs() }
}

export function presentError(error: StepError): ErrorBody {
  return {
    ...(error.chunk !== undefined && { chunk_index: error.chunk }),
    code: error.code,
    message: error.message,
    attempts: error.attempts,
    at: new Date(error.atMs).toISOString(),
  }
}

export function chunkIdOf(ref: RunRef, chunk: number): string {
  return `${runKey(ref)}.${chunk}`
}

function presentResult(
  { renderer }: Presenting,
  transcript: Omit<StoredTranscript, 'chunks'>,
  options: PresentationRequest,
): FileResult {
  const result = renderer.rewrite(transcript, options)
  if (options.speech_information) return result
  return { ...result, segments: result.segments.map(plainSegment) }
}

function plainSegment(segment: Segment): Segment {
  const { speech_information: _, ...plain } = segment
  return plain
}

function presentChunk(
  file: BatchFile,
  chunk: number,
  { details, plan }: { details: Details; plan: StoredPlan | undefined },
): ChunkResultBody {
  const progress = file.run?.progress ?? { phase: 'queued' }
  const summary = details.summaries.get(chunk)
  const span = summary ?? plan?.chunks[chunk]
  const error = chunkErrorOf(progress, chunk)
  return {
    chunk_id: chunkIdOf(file.ref, chunk),
    chunk_index: chunk,
    ...(span && { start: span.start, end: span.end }),
    status: chunkStatusOf(progress, chunk),
    attempts: summary?.attempts ?? chunkAttemptsOf(progress, chunk),
    ...(summary && { text: summary.text, confidence: summary.confidence, language: summary.language }),
    ...(error && { error: presentError(error) }),
  }
}

function chunkCounts({ run }: BatchFile): Pick<FileResultBody, 'total_chunks' | 'completed_chunks' | 'failed_chunks'> {
  const chunks = run && chunksOf(run.progress)
  return {
    total_chunks: chunks?.total ?? 0,
    completed_chunks: chunks ? size(chunks.done) : 0,
    failed_chunks: chunks ? size(chunks.failed) : 0,
  }
}

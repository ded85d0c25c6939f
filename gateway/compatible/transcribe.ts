import { setTimeout as pause } from 'node:timers/promises'

import type { BatchChanges } from '../../actors/batch/ports.ts'
import type { BatchState } from '../../actors/batch/state.ts'
import { has } from '../../actors/bitset.ts'
import { away, retryable, terminal } from '../../actors/failure.ts'
import type { FailureError, TerminalCode } from '../../actors/failure.ts'
import type { BatchId, FileId, Owner, VocabularyId } from '../../actors/ids.ts'
import { chunksOf } from '../../actors/run/state.ts'
import type { TranscribeSettings } from '../../actors/run/state.ts'
import type { Batches } from '../../actors/services.ts'
import type { FileResult } from '../../actors/transcript/state.ts'
import { isVisible } from '../../actors/upload/state.ts'
import type { Vocabularies } from '../../actors/vocabulary/ports.ts'
import { detailsOf, hasTranscript } from '../batches/details.ts'
import { fileResultOf } from '../batches/present.ts'
import type { FileResultBody, Presenting } from '../batches/present.ts'
import { filesAt, ownedBatch } from '../batches/read.ts'
import type { BatchFile, BatchReadPorts } from '../batches/read.ts'
import { resolve } from '../batches/resolve.ts'
import type { ResolvePorts } from '../batches/resolve.ts'
import { vocabularyOf } from '../batches/vocabulary.ts'

export interface TranscribePorts extends BatchReadPorts, Presenting, ResolvePorts {
  readonly submissions: Batches
  readonly changes: BatchChanges
  readonly vocabularies: Pick<Vocabularies, 'read'>
}

export interface WantedTranscript {
  readonly owner: Owner
  readonly fileId: FileId
  /** Under which it is submitted. */
  readonly batchId: BatchId
  readonly settings: TranscribeSettings
  /** Its words are looked up when it is submitted. */
  readonly vocabularyId?: VocabularyId
  readonly speechInformation: boolean
  readonly signal: AbortSignal
}

const storedPollMs = 50
const everyMs = 2_000

/** A batch of one, like any other: yields the text of each chunk as soon as all before it are heard, and ends with the whole. */
export async function* transcribeOne(
  ports: TranscribePorts,
  wanted: WantedTranscript,
): AsyncGenerator<string, FileResult> {
  await untilStored(ports, wanted)
  const { batchId } = await submit(ports, wanted)
  let told = 0
  for await (const _ of ports.changes.watch(batchId, { signal: wanted.signal, everyMs })) {
    const batch = await ownedBatch(ports, wanted.owner, batchId)
    if (!batch) throw deleted()
    const file = await onlyFile(ports, batch)
    for (const text of await textsFrom(ports, file, told)) {
      told += 1
      if (text !== '') yield text
    }
    if (batch.finishedAtMs !== undefined) return resultOf(ports, file, wanted)
  }
  throw wanted.signal.reason
}

/** It is safe already; workers find it only in storage. */
async function untilStored(ports: TranscribePorts, { fileId, signal }: WantedTranscript): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const file = (await ports.fileRecords.read(fileId))?.value
    if (!file || !isVisible(file)) throw deleted()
    if (file.status === 'completed') return
    if (file.status === 'failed') throw away('storage_unavailable', file.reason)
    await pause(storedPollMs)
  }
}

async function submit(ports: TranscribePorts, wanted: WantedTranscript): Promise<BatchState> {
  const { owner, fileId, batchId } = wanted
  const vocabulary = await vocabularyOf(ports.vocabularies, owner, wanted.vocabularyId)
  const { members } = await resolve(ports, { owner, request: { file_ids: [fileId] } }, 1)
  const settings = { ...wanted.settings, ...vocabulary?.settings }
  const order = { batchId, owner, settings, members, ...(vocabulary && { vocabularyWords: vocabulary.words }) }
  return (await ports.submissions.submit(order)).batch
}

async function onlyFile(ports: TranscribePorts, batch: BatchState): Promise<BatchFile | undefined> {
  for await (const file of filesAt(ports, batch, [0])) return file
  return undefined
}

/** In order, as far as they are settled; one that failed has no text. */
async function textsFrom(ports: TranscribePorts, file: BatchFile | undefined, from: number): Promise<string[]> {
  const chunks = file?.run && chunksOf(file.run.progress)
  if (!file || !chunks) return []
  // of what is redacted no chunk is shown before all of them are
  if (file.run?.settings.redact && !hasTranscript(file)) return []
  let to = from
  while (to < chunks.total && (has(chunks.done, to) || has(chunks.failed, to))) to += 1
  const numbers = Array.from({ length: to - from }, (_, at) => from + at)
  if (numbers.length === 0) return []
  const { summaries } = await detailsOf(ports.blobs, file, numbers)
  return numbers.map((chunk) => summaries.get(chunk)?.text ?? '')
}

async function resultOf(
  ports: TranscribePorts,
  file: BatchFile | undefined,
  { speechInformation }: WantedTranscript,
): Promise<FileResult> {
  const asked = { chunks: false, speech_information: speechInformation, tags: false, original: true }
  const body = file && (await fileResultOf(ports, file, asked))
  if (!body) throw deleted()
  if (!body.result) throw failureOf(body)
  return body.result
}

function deleted(): FailureError {
  return terminal('conflict', 'The recording was deleted while it was transcribed.')
}

const clients: ReadonlySet<string> = new Set<TerminalCode>(['unsupported_media', 'too_large', 'invalid_request'])

/** A recording that cannot be read is the client's; everything else is ours. */
function failureOf({ errors }: FileResultBody): FailureError {
  const { code = '', message = 'The recording could not be transcribed.' } = errors?.at(-1) ?? {}
  if (clients.has(code)) return terminal(code as TerminalCode, message) // as: it is one of those above
  return retryable('worker_failed', message)
}

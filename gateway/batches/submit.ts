import { createHash } from 'node:crypto'

import { z } from 'zod'

import type { BatchState, Member } from '../../actors/batch/state.ts'
import { terminal } from '../../actors/failure.ts'
import type { BatchId, Owner } from '../../actors/ids.ts'
import type { Faults } from '../../actors/ports.ts'
import type { Retention } from '../../actors/retention/state.ts'
import type { TranscribeSettings } from '../../actors/run/state.ts'
import type { Backlog, Batches } from '../../actors/services.ts'
import { defaultScript } from '../../actors/transcript/state.ts'
import type { Vocabularies } from '../../actors/vocabulary/ports.ts'
import { keyHeaderDoc, replay, underClaim, underKey } from '../idempotency.ts'
import type { Answers, ClaimOutcome, FirstAnswer, IdempotencyPorts } from '../idempotency.ts'
import { route } from '../route.ts'
import type { Answer, Route } from '../route.ts'
import { badBody, badToken, failure, idText, takesNothing } from '../wire.ts'
import { afterOf, refuseTooMuchAfter } from './after-fields.ts'
import { refuseCallback } from './callback-fields.ts'
import { membersAt, ownedBatch } from './read.ts'
import type { BatchReadPorts } from './read.ts'
import { presentRedaction, redactionOf } from './redaction-fields.ts'
import { batchExamples } from './request-examples.ts'
import { resolve } from './resolve.ts'
import type { ResolvePorts } from './resolve.ts'
import { retentionOf } from './retain.ts'
import { withSameRecordings } from './same-recordings.ts'
import type { SameRecordingPorts } from './same-recordings.ts'
import { saidTextOf } from './said-text.ts'
import { batchAccepted, batchRequest } from './schemas.ts'
import type { BatchRequest } from './schemas.ts'
import { estimatesOf, inSeconds } from './status.ts'
import { presentUsedVocabulary, vocabularyOf } from './vocabulary.ts'

export interface SubmitRoutePorts
  extends IdempotencyPorts, ResolvePorts, SameRecordingPorts, Pick<BatchReadPorts, 'batches' | 'members'> {
  readonly submissions: Batches
  readonly backlog: Backlog
  readonly faults: Faults
  readonly vocabularies: Pick<Vocabularies, 'read'>
  /** Whether anybody can write about transcripts. */
  readonly hasChatEndpoint: boolean
}

export interface SubmitRouteLimits {
  readonly maxFiles: number
  readonly retention: Retention
}

/** Ten thousand long URLs. */
const bodyMaxBytes = 16 * 1024 * 1024

/** What is kept under an idempotency key: the rest of the answer is in the records, and too much for one. */
const noted = z.object({ batch_id: idText, estimated_completion_seconds: z.number() })
type Noted = z.output<typeof noted>

export function submitRoute(ports: SubmitRoutePorts, limits: SubmitRouteLimits): Route {
  return route({
    method: 'post',
    path: '/transcribe/batch',
    id: 'submitBatch',
    summary: 'Submit files for transcription',
    description: `Takes the completed files of an upload, single files, storage keys and remote URLs, in any combination; a file that is named twice is transcribed once. At most ${limits.maxFiles} files.`,
    access: 'user',
    ...takesNothing,
    headers: [keyHeaderDoc('The same key with the same body gives the same batch again, and submits nothing twice.')],
    body: {
      contentType: 'application/json',
      description: 'Which files, and how they are to be transcribed.',
      schema: batchRequest,
      examples: batchExamples,
      maxBytes: bodyMaxBytes,
    },
    responses: {
      200: {
        description:
          'It will be transcribed, whatever happens next. `Location` is where to watch it; `Idempotency-Replayed: true` marks an answer that is given again.',
        schema: batchAccepted,
      },
      400: { description: 'The body is wrong, nothing is left to transcribe, or it is too much.', schema: failure },
      401: badToken,
      403: { description: 'The upload belongs to another user.', schema: failure },
      404: {
        description: 'The upload, a file or a storage key was not found; nothing was submitted.',
        schema: failure,
      },
      ...badBody,
      409: {
        description:
          'Files are not completed yet, the idempotency key is in use or was used with another body, or something is to be written about transcripts and no chat endpoint is configured.',
        schema: failure,
      },
      429: { description: 'Your quota is used up; see Retry-After.', schema: failure },
      503: { description: 'The queue is full, or a dependency is away; see Retry-After.', schema: failure },
    },
    async handle(request) {
      const { body, principal } = request
      const batchId = ports.ids.nextBatchId()
      const answers = answersFor(ports, principal.owner)
      return underClaim({ ...ports, ...answers }, { scope: 'batch', request, id: batchId }, (claim) =>
        submit(ports, limits, { body, owner: principal.owner, batchId, claim }),
      )
    },
  })
}

/** For what is submitted in a user's name without a request of theirs: of all who do, under one key, one does it. */
export async function submitUnderKey(
  ports: SubmitRoutePorts,
  limits: SubmitRouteLimits,
  { key, ...input }: Pick<Submission, 'body' | 'owner'> & { readonly key: string },
): Promise<void> {
  const batchId = ports.ids.nextBatchId()
  const answers = answersFor(ports, input.owner)
  await underKey({ ...ports, ...answers }, { key, id: batchId }, (claim) =>
    submit(ports, limits, { ...input, batchId, claim }),
  )
}

interface Submission {
  readonly body: BatchRequest
  readonly owner: Owner
  readonly batchId: BatchId
  readonly claim: ClaimOutcome | undefined
}

async function submit(ports: SubmitRoutePorts, limits: SubmitRouteLimits, input: Submission): Promise<Answer> {
  const { body, owner, batchId, claim } = input
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('base64url')
  if (claim && 'first' in claim) return repeat(ports, owner, replay(claim.first, fingerprint))
  const { callback_url: callbackUrl, callback_headers: callbackHeaders } = body
  refuseCallback(ports.checkUrl, body)
  const retain = retentionOf(body.retain, limits.retention)
  const vocabulary = await vocabularyOf(ports.vocabularies, owner, body.vocabulary)
  const after = afterOf(body, ports.hasChatEndpoint)
  const { members, shared } = await resolve(ports, { owner, request: body }, limits.maxFiles)
  refuseTooMuchAfter(after, members.length)
  const settings = { ...settingsOf(body), ...vocabulary?.settings, ...after.settings, ...saidTextOf(body, members) }
  const order = {
    batchId,
    owner,
    ...(body.name !== undefined && body.name !== '' && { name: body.name }),
    ...(body.metadata && { metadata: body.metadata }),
    settings,
    ...(vocabulary && { vocabularyWords: vocabulary.words }),
    ...(after.questions && { questions: after.questions }),
    members:
      body.deduplicate === false ? members : await withSameRecordings(ports, { owner, members, shared, settings }),
    ...(claim && { fingerprint }),
    ...(callbackUrl !== undefined && { callbackUrl }),
    ...(callbackHeaders && { callbackHeaders }),
    ...(retain !== undefined && { retain }),
  }
  const { batch, secondsUntilDone } = await ports.submissions.submit(order)
  const note: Noted = { batch_id: batchId, estimated_completion_seconds: inSeconds(secondsUntilDone) }
  // accepted is accepted: without the note a repetition finds the records instead
  await claim?.held
    .answer({ fingerprint, status: 200, body: note })
    .catch((error: unknown) => ports.log.warn('answer not noted under its key', { error }))
  await ports.faults.point('submit.before-answer')
  return { status: 200, body: presentSubmitted(batch, members, note), headers: { Location: placeOf(batchId) } }
}

/** What is too large for the note is made again; files that were deleted since are left out. */
async function repeat(ports: SubmitRoutePorts, owner: Owner, first: Answer): Promise<Answer> {
  const note = noted.parse(first.body)
  const batch = await ownedBatch(ports, owner, note.batch_id as BatchId) // as: we noted it
  if (!batch) throw terminal('not_found', 'batch not found')
  const all = Array.from({ length: batch.total }, (_, index) => index)
  const members = (await membersAt(ports, batch.batchId, all)).map(({ member }) => member)
  return {
    ...first,
    body: presentSubmitted(batch, members, note),
    headers: { ...first.headers, Location: placeOf(batch.batchId) },
  }
}

function answersFor(ports: SubmitRoutePorts, owner: Owner): Answers<BatchId> {
  const firstOf = async (batch: BatchState | undefined): Promise<FirstAnswer | undefined> => {
    if (!batch) return undefined
    const { estimated_completion_seconds } = await estimatesOf(ports.backlog, batch, [])
    const note: Noted = { batch_id: batch.batchId, estimated_completion_seconds }
    return { fingerprint: batch.fingerprint ?? '', status: 200, body: note }
  }
  return {
    answerOf: async (batchId) => firstOf(await ownedBatch(ports, owner, batchId)),
    withdraw: async (batchId) => firstOf(await ports.submissions.withdraw({ owner, batchId })),
  }
}

export function settingsOf(request: BatchRequest): TranscribeSettings {
  const { language, profile, hotwords, script, channels, speakers } = request
  return {
    ...(language !== undefined && { language }),
    ...(profile !== undefined && { profile }),
    ...(hotwords !== undefined && { hotwords }),
    script: script ?? defaultScript,
    channels: channels ?? 'mix',
    ...(speakers !== undefined && { speakers }),
    ...redactionOf(request),
  }
}

function presentOptions(settings: TranscribeSettings) {
  const { saidText: _, redact: _redact, keepUnredacted: _kept, redactAudio: _audio, ...rest } = settings
  const { vocabulary, after, ...others } = rest
  return {
    ...others,
    ...presentRedaction(settings),
    ...(vocabulary && presentUsedVocabulary(vocabulary)),
    ...(after && { after: after.map((type) => ({ type })) }),
  }
}

export function presentSubmitted(
  batch: BatchState,
  members: readonly Member[],
  note: Pick<Noted, 'estimated_completion_seconds'>,
) {
  const { batchId, settings } = batch
  return {
    batch_id: batchId,
    ...(batch.name !== undefined && { name: batch.name }),
    total_jobs: members.length,
    estimated_audio_seconds: inSeconds(batch.estimatedSeconds),
    estimated_completion_seconds: note.estimated_completion_seconds,
    options: presentOptions(settings),
    ...(batch.retryOf !== undefined && { retry_of: batch.retryOf }),
    jobs: members.map(({ fileId, filename }) => ({
      file_id: fileId,
      filename,
      batch_id: batchId,
      status: 'queued',
    })),
  }
}

export function placeOf(batchId: BatchId): string {
  return `/transcribe/status/batch/${batchId}`
}

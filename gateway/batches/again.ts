import { z } from 'zod'

import { acceptedBatch } from '../../actors/batch/state.ts'
import type { BatchOrder } from '../../actors/batch/protocol.ts'
import { add, emptySet } from '../../actors/bitset.ts'
import type { Editing } from '../../actors/edit/ports.ts'
import { terminal } from '../../actors/failure.ts'
import { transcriptKey } from '../../actors/ids.ts'
import type { Owner, VocabularyId } from '../../actors/ids.ts'
import type { Ids } from '../../actors/ports.ts'
import { sourceOptionsOf } from '../../actors/run/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { Batches } from '../../actors/services.ts'
import { readStoredJson } from '../../actors/stored-json.ts'
import type { StoredTranscript } from '../../actors/transcript/state.ts'
import type { DoubtfulChunks, Vocabularies } from '../../actors/vocabulary/ports.ts'
import { vocabularyLimits } from '../../actors/vocabulary/state.ts'
import type { StoredVocabulary } from '../../actors/vocabulary/state.ts'
import { openPlaces } from '../places.ts'
import type { PlaceShares } from '../places.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Answer, Route } from '../route.ts'
import { badBody, badToken, dependencyAway, failure, idText, vocabularyIdField } from '../wire.ts'
import { hasTranscript } from './details.ts'
import { findFile } from './find-file.ts'
import type { FindPorts } from './find-file.ts'
import type { BatchFile } from './read.ts'
import { batchAccepted, filePath, notFoundBody } from './schemas.ts'
import { inSeconds } from './status.ts'
import { placeOf, presentSubmitted } from './submit.ts'
import { wordsOf } from './vocabulary.ts'

export interface AgainPorts extends FindPorts {
  readonly editing: Editing
  readonly vocabularies: Pick<Vocabularies, 'read'>
  readonly doubtfulChunks: DoubtfulChunks
  readonly submissions: Batches
  readonly ids: Ids
}

/** Each has a whole transcript in memory. */
const shares: PlaceShares = { perUser: 2, all: 8 }
/** Words that are looked for at once: somebody has just corrected them. */
const wordsMax = 20

const againRequest = z
  .strictObject({
    vocabulary: vocabularyIdField.describe('A vocabulary of yours, which is listened for and spelt by.'),
    words: z
      .array(z.string().trim().min(1).max(vocabularyLimits.characters))
      .min(1, 'say which words were corrected')
      .max(wordsMax, `has more than ${wordsMax} words, which is the limit`)
      .describe(
        'Which of its entries, by their `text`: parts of the recording in which these may be said are transcribed again.',
      ),
  })
  .meta({
    id: 'TranscribeAgainRequest',
    examples: [{ vocabulary: '01900000-0000-7000-8000-000000000000', words: ['Meera'] }],
  })

const againAnswer = z
  .strictObject({
    file_id: idText,
    total_chunks: z.int(),
    chunks: z
      .array(z.int())
      .describe('Those that are transcribed again, by their numbers; none where nothing was in doubt.'),
    batch: batchAccepted.optional().describe('In which that is done; absent where there is nothing to do.'),
  })
  .meta({
    id: 'TranscribedAgain',
    examples: [{ file_id: '01900000-0000-7000-8000-000000000000', total_chunks: 12, chunks: [] }],
  })

export function againRoute(ports: AgainPorts): Route {
  const places = openPlaces(shares, { what: 'transcripts that are looked through', advice: 'try again shortly' })
  return route({
    method: 'post',
    path: '/transcribe/results/file/{file_id}/again',
    id: 'transcribeAgain',
    summary: 'Transcribe again what is in doubt',
    description:
      'Corrected once, better everywhere: what sounds like the words that you name, or like what they were taken for, and was not sure, is transcribed again with your vocabulary. Where one of the words came that was not there, it is put in the place of what stood there; everything else stays as it was, and `transcribed_again` of the result says in how many parts that was. It becomes the newest transcription of the file, in a batch of its own, and what you edited is laid over it. Where the audio of the parts is not kept (SAVE_AUDIO_DATA), the whole file is.',
    access: 'user',
    params: filePath,
    query: z.strictObject({}),
    body: { contentType: 'application/json', schema: againRequest, description: 'With which words.' },
    responses: {
      200: { description: 'What is transcribed again, and where to watch it.', schema: againAnswer },
      400: { description: 'The vocabulary has no such words, or a field is wrong.', schema: failure },
      401: badToken,
      404: { description: 'You have no such file, or no such vocabulary.', schema: notFoundBody },
      ...badBody,
      409: { description: 'There is no transcript that could be gone on with.', schema: failure },
      429: { description: 'Your quota is used up; see Retry-After.', schema: failure },
      503: dependencyAway,
    },
    async handle({ principal: { owner }, params, body }) {
      const leave = places.take(owner)
      try {
        const file = await findFile(ports, owner, params.file_id)
        if (!file) return notFound('file')
        const words = await wanted(ports, owner, body)
        return words ? await transcribeAgain(ports, file, words) : notFound('vocabulary')
      } finally {
        leave()
      }
    },
  })
}

interface WantedWords {
  readonly vocabulary: StoredVocabulary
  readonly entries: StoredVocabulary['entries']
}

async function wanted(
  { vocabularies }: AgainPorts,
  owner: Owner,
  { vocabulary: id, words }: { readonly vocabulary: VocabularyId; readonly words: readonly string[] },
): Promise<WantedWords | undefined> {
  const vocabulary = await vocabularies.read({ owner, id })
  if (!vocabulary) return undefined
  const entries = vocabulary.entries.filter(({ text }) => words.includes(text))
  if (entries.length === 0) throw terminal('invalid_request', 'body.words: the vocabulary has none of these words.')
  return { vocabulary, entries }
}

async function transcribeAgain(ports: AgainPorts, file: BatchFile, words: WantedWords): Promise<Answer> {
  const { run } = file
  refuseUnfit(file)
  const transcript = run && (await readStoredJson<StoredTranscript>(ports.blobs, transcriptKey(run)))
  if (!run || !transcript) return notFound('file')
  const isRight = await ports.editing.seenIn(run)
  const chunks = await ports.doubtfulChunks(transcript, words.entries, isRight)
  const answer = { file_id: run.fileId, total_chunks: transcript.chunks.length, chunks }
  if (chunks.length === 0) return { status: 200, body: answer }
  const seconds = transcript.chunks
    .filter(({ chunk }) => chunks.includes(chunk))
    .reduce((sum, { start, end }) => sum + end - start, 0)
  const order = await orderOf(ports, { run, chunks, seconds, words })
  const { batch, secondsUntilDone } = await ports.submissions.submit(order)
  const note = { estimated_completion_seconds: inSeconds(secondsUntilDone) }
  return {
    status: 200,
    body: { ...answer, batch: presentSubmitted(batch, order.members, note) },
    headers: { Location: placeOf(batch.batchId) },
  }
}

function refuseUnfit(file: BatchFile): void {
  const { run } = file
  if (!run || run.progress.phase !== 'finished')
    throw terminal('conflict', 'It is being transcribed. Ask when that is done.')
  if (!hasTranscript(file)) throw terminal('conflict', 'There is no transcript of this file.')
  const { redact, saidText } = run.settings
  if (redact)
    throw terminal(
      'conflict',
      'Of what is redacted no parts are kept. Submit the file again as it was, with this `vocabulary`.',
    )
  if (saidText !== undefined) throw terminal('conflict', 'The text of this file was given, and not recognised.')
  if (file.isAudioExpired) throw terminal('conflict', 'The recording is no longer kept.')
}

interface Again {
  readonly run: RunState
  readonly chunks: readonly number[]
  readonly seconds: number
  readonly words: WantedWords
}

async function orderOf(ports: AgainPorts, { run, chunks, seconds, words }: Again): Promise<BatchOrder> {
  const { owner, batchId: continues, fileId, filename, source } = run
  const before = acceptedBatch((await ports.batches.read(continues))?.value)
  const { settings, words: vocabularyWords } = wordsOf(
    words.vocabulary,
    words.entries.map(({ text }) => text),
  )
  return {
    batchId: ports.ids.nextBatchId(),
    owner,
    ...(before?.name !== undefined && { name: before.name }),
    settings: { ...run.settings, ...settings },
    members: [
      {
        fileId,
        filename,
        source,
        estimatedSeconds: seconds,
        ...sourceOptionsOf(run),
        continues,
        again: add(emptySet, ...chunks),
      },
    ],
    vocabularyWords,
    ...(before?.retain && { retain: before.retain }),
  }
}

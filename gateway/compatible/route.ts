import { Readable } from 'node:stream'

import { z } from 'zod'

import { FailureError } from '../../actors/failure.ts'
import type { FileResult } from '../../actors/transcript/state.ts'
import { settingsOf } from '../batches/submit.ts'
import { textTypes } from '../batches/texts.ts'
import { textDocs } from '../batches/text-docs.ts'
import { inWords } from '../files/multipart.ts'
import { openPlaces } from '../places.ts'
import { problemOf } from '../problem.ts'
import { route } from '../route.ts'
import type { Answer, Request, Route } from '../route.ts'
import { transcriptionAnswers } from './example-answers.ts'
import { batchRequestOf, refuseUnfitForm, transcriptionForm, transcriptionForms } from './form.ts'
import type { TranscriptionForm } from './form.ts'
import {
  diarizedTranscription,
  presentDiarized,
  presentPlain,
  presentVerbose,
  transcription,
  verboseTranscription,
} from './present.ts'
import { compatibleFailure, explainCompatibly } from './problem.ts'
import { receiveRecording } from './receive.ts'
import { transcribeOne } from './transcribe.ts'
import type { WantedTranscript } from './transcribe.ts'
import { beginWaiting, waitForAll, refusalsWhileWaiting } from './while-waiting.ts'
import type { CompatibleLimits, CompatiblePorts } from './while-waiting.ts'

const streamType = 'text/event-stream'
const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
const streamed = z.string().meta({
  examples: [
    event({ type: 'transcript.text.delta', delta: 'कल की meeting में मिलते हैं।' }) +
      event({ type: 'transcript.text.done', text: 'कल की meeting में मिलते हैं।' }),
  ],
})
const formShape = { schema: transcriptionForm, fieldMaxBytes: 16 * 1024, refuse: refuseUnfitForm }

export function transcriptionsRoute(ports: CompatiblePorts, limits: CompatibleLimits): Route {
  const places = openPlaces(limits.places, {
    what: 'transcriptions',
    advice: 'batches wait in a queue instead',
    comeBackSeconds: 30,
  })
  return {
    ...route({
      method: 'post',
      path: '/v1/audio/transcriptions',
      id: 'createTranscription',
      summary: 'Transcribe one recording while you wait',
      description: `As OpenAI’s endpoint of this name, for its clients: give this server as their base URL (…/v1) and a token as their key. The recording goes the way of every other, in its turn; the answer waits for it, at most ${limits.deadlineMs / 1000} seconds. At most ${inWords(limits.maxFileBytes)} and ${limits.maxSeconds} seconds of sound: batches are for more. Who hangs up takes the recording back.`,
      access: 'user',
      params: z.strictObject({}),
      query: z.strictObject({}),
      body: {
        contentType: 'multipart/form-data',
        description: 'One recording, and what is wanted of it.',
        schema: transcriptionForm,
        examples: transcriptionForms,
      },
      responses: {
        200: {
          description: 'The transcript, in the form that was asked for.',
          schema: z
            .union([transcription, verboseTranscription, diarizedTranscription])
            .meta({ id: 'AnyTranscription' }),
          examples: transcriptionAnswers,
          otherwise: { ...textDocs, [streamType]: streamed },
        },
        ...refusalsWhileWaiting(compatibleFailure),
        401: { description: 'The token is missing or invalid.', schema: compatibleFailure },
        404: { description: 'You have no such vocabulary.', schema: compatibleFailure },
      },
      async handle(request) {
        const leave = places.take(request.principal.owner)
        try {
          return await handle(ports, limits, { request, leave })
        } catch (error) {
          leave()
          throw error
        }
      },
    }),
    explain: explainCompatibly,
  }
}

interface Asked {
  readonly request: Request
  /** When nothing waits any more; a second time does nothing. */
  readonly leave: () => void
}

async function handle(ports: CompatiblePorts, limits: CompatibleLimits, { request, leave }: Asked): Promise<Answer> {
  const { form, fileId } = await receiveRecording(ports, { ...limits, form: formShape }, request)
  const waiting = beginWaiting(ports, limits, {
    request,
    fileId,
    settings: settingsOf(batchRequestOf(form)),
    vocabularyId: form.vocabulary,
    speechInformation: form.response_format === 'diarized_json',
    leave,
  })
  if (form.stream !== 'true') return answerOf(ports, await waitForAll(ports, waiting), form)
  // who hangs up before the first event never begins the stream that would clean up
  request.raw.response.once('close', () => void waiting.done(false))
  if (request.raw.response.destroyed) await waiting.done(false)
  const events = eventsOf(ports, { ...waiting, form, requestId: request.id })
  return { status: 200, body: Readable.from(events), headers: { 'Content-Type': `${streamType}; charset=utf-8` } }
}

function answerOf({ renderer }: CompatiblePorts, result: FileResult, form: TranscriptionForm): Answer {
  switch (form.response_format) {
    case 'json':
      return { status: 200, body: presentPlain(result, form) }
    case 'verbose_json':
      return { status: 200, body: presentVerbose(result, form) }
    case 'diarized_json':
      return { status: 200, body: presentDiarized(result) }
    case 'text':
      return { status: 200, body: `${result.text}\n`, headers: { 'Content-Type': `${textTypes.text}; charset=utf-8` } }
    case 'srt':
    case 'vtt': {
      const format = form.response_format
      const headers = { 'Content-Type': `${textTypes[format]}; charset=utf-8` }
      return { status: 200, body: renderer.render(result, format), headers }
    }
  }
}

interface Streaming {
  readonly wanted: WantedTranscript
  readonly form: TranscriptionForm
  readonly requestId: string
  readonly done: (isTold: boolean) => Promise<void>
}

async function* eventsOf(ports: CompatiblePorts, streaming: Streaming): AsyncGenerator<string> {
  const { wanted, form, requestId, done } = streaming
  const texts = transcribeOne(ports, wanted)
  let isTold = false
  try {
    let between = ''
    let next = await texts.next()
    for (; !next.done; next = await texts.next()) {
      yield event({ type: 'transcript.text.delta', delta: between + next.value })
      between = ' '
    }
    isTold = true
    yield event({ type: 'transcript.text.done', ...presentPlain(next.value, form) })
  } catch (error) {
    if (!(error instanceof FailureError)) ports.log.error('request crashed', { requestId, error })
    yield event(explainCompatibly(problemOf(error, requestId)))
  } finally {
    await done(isTold)
  }
}

import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

import { retryable, terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import { runKey } from '../../actors/ids.ts'
import type { Inquiry, InquiryOutcome, TranslatedLine } from '../../actors/inquiry/state.ts'
import type { Inquiries } from '../../actors/inquiry/ports.ts'
import type { LineRenderer } from '../../actors/transcript/ports.ts'
import { defaultScript } from '../../actors/transcript/state.ts'
import type { FileResult } from '../../actors/transcript/state.ts'
import { settingsOf } from '../batches/submit.ts'
import { textTypes } from '../batches/texts.ts'
import { textDocs } from '../batches/text-docs.ts'
import { inWords } from '../files/multipart.ts'
import { noChatEndpoint } from '../inquiries/no-chat-endpoint.ts'
import { openPlaces } from '../places.ts'
import { route } from '../route.ts'
import type { Answer, NamedExamples, Request, Route } from '../route.ts'
import { takesNothing } from '../wire.ts'
import { translationAnswers } from './example-answers.ts'
import { batchRequestOf, transcriptionForm } from './form.ts'
import { presentTranslation, presentVerboseTranslation, translation, verboseTranslation } from './present.ts'
import { compatibleFailure, explainCompatibly } from './problem.ts'
import { receiveRecording } from './receive.ts'
import type { WantedTranscript } from './transcribe.ts'
import { beginWaiting, refusalsWhileWaiting, waitForAll } from './while-waiting.ts'
import type { CompatibleLimits, CompatiblePorts } from './while-waiting.ts'

interface TranslationPorts extends CompatiblePorts {
  readonly inquiries: Inquiries
  readonly hasChatEndpoint: boolean
  readonly lines: LineRenderer
}

const formats = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const
const translationForm = transcriptionForm
  .pick({ file: true, model: true, prompt: true, language: true })
  .extend({ response_format: z.enum(formats).default('json') })
  .meta({ id: 'TranslationForm' })
type TranslationForm = z.output<typeof translationForm>
const usual = { file: 'one.wav', model: 'whisper-1' }
const translationForms: NamedExamples = {
  text: { summary: 'the text', value: usual },
  passages: { summary: 'passages with their times', value: { ...usual, response_format: 'verbose_json' } },
  subtitles: { summary: 'subtitles', value: { ...usual, response_format: 'srt' } },
}

const formShape = { schema: translationForm, fieldMaxBytes: 16 * 1024 }
/** How often it is looked whether the translation is there. */
const lookMs = 250

export function translationsRoute(ports: TranslationPorts, limits: CompatibleLimits): Route {
  const places = openPlaces(limits.places, { what: 'translations', advice: 'try again later', comeBackSeconds: 30 })
  return {
    ...route({
      ...takesNothing,
      method: 'post',
      path: '/v1/audio/translations',
      id: 'createTranslation',
      summary: 'Translate one recording into English while you wait',
      description: `As OpenAI’s endpoint of this name, for its clients. The recording is transcribed like every other, and the chat model that the operator chose (\`LLM_BASE_URL\`) translates what was understood; \`translated_by\` names it. What is in English already stays as it is. Limits are those of transcriptions: ${inWords(limits.maxFileBytes)}, ${limits.maxSeconds} seconds of sound, ${limits.deadlineMs / 1000} seconds of waiting. Who hangs up takes the recording back.`,
      access: 'user',
      body: {
        contentType: 'multipart/form-data',
        description: 'One recording, and what is wanted of it.',
        schema: translationForm,
        examples: translationForms,
      },
      responses: {
        200: {
          description: 'The translation, in the form that was asked for.',
          schema: z.union([translation, verboseTranslation]).meta({ id: 'AnyTranslation' }),
          examples: translationAnswers,
          otherwise: textDocs,
        },
        ...refusalsWhileWaiting(compatibleFailure),
        401: { description: 'The token is missing or invalid.', schema: compatibleFailure },
        409: {
          description: 'No chat endpoint is configured, or the recording was deleted meanwhile.',
          schema: compatibleFailure,
        },
      },
      async handle(request) {
        if (!ports.hasChatEndpoint) throw noChatEndpoint()
        const leave = places.take(request.principal.owner)
        try {
          return await handle(ports, limits, { request, leave })
        } finally {
          leave()
        }
      },
    }),
    explain: explainCompatibly,
  }
}

async function handle(
  ports: TranslationPorts,
  limits: CompatibleLimits,
  { request, leave }: { readonly request: Request; readonly leave: () => void },
): Promise<Answer> {
  const { form, fileId } = await receiveRecording(ports, { ...limits, form: formShape }, request)
  const settings = settingsOf(batchRequestOf({ ...form, script: defaultScript }))
  const waiting = beginWaiting(ports, limits, { request, fileId, settings, speechInformation: false, leave })
  let translatedBy = ''
  const result = await waitForAll(ports, waiting, async (transcribed) => {
    if (transcribed.text.trim() === '') return transcribed
    const { answer, model } = await translationOf(ports, waiting.wanted)
    translatedBy = model
    if (answer.kind !== 'translation') throw new Error('a translation is something else')
    return inEnglish(transcribed, answer.lines)
  })
  return answerOf(ports, { result, translatedBy }, form)
}

type Written = Extract<InquiryOutcome, { readonly status: 'completed' }>

/** It is work of its queue, like one that is asked for later. */
async function translationOf(ports: TranslationPorts, wanted: WantedTranscript): Promise<Written> {
  const run = (await ports.runs.read(runKey(wanted)))?.value
  if (!run) throw goneMeanwhile()
  let inquiry: Inquiry | undefined = await ports.inquiries.ask(run, { kind: 'translation', again: false })
  while (inquiry && !inquiry.outcome) {
    await pause(lookMs, undefined, { signal: wanted.signal }).catch(() => wanted.signal.throwIfAborted())
    inquiry = (await ports.inquiries.listOf(run)).find(({ kind }) => kind === 'translation')
  }
  const outcome = inquiry?.outcome
  if (!outcome) throw goneMeanwhile()
  if (outcome.status === 'failed') throw retryable('worker_failed', outcome.message)
  return outcome
}

function goneMeanwhile(): FailureError {
  return terminal('conflict', 'The recording was deleted while it was translated.')
}

/** Words have no times in another language: passages have. */
function inEnglish(result: FileResult, lines: readonly TranslatedLine[]): FileResult {
  const said = result.segments.filter(({ text }) => text.trim() !== '')
  const segments = said.map((segment, at) => ({ ...segment, text: lines[at]?.text ?? '', words: [], language: 'en' }))
  return { ...result, text: segments.map(({ text }) => text).join(' '), language: 'en', segments }
}

function answerOf(
  { lines }: TranslationPorts,
  { result, translatedBy }: { readonly result: FileResult; readonly translatedBy: string },
  { response_format: format }: TranslationForm,
): Answer {
  if (format === 'json') return { status: 200, body: presentTranslation(result, translatedBy) }
  if (format === 'verbose_json') return { status: 200, body: presentVerboseTranslation(result, translatedBy) }
  const headers = { 'Content-Type': `${textTypes[format]}; charset=utf-8` }
  const body = format === 'text' ? `${result.text}\n` : lines.render(result.segments, format)
  return { status: 200, body, headers }
}

import { terminal } from '../../actors/failure.ts'
import type { LineRenderer } from '../../actors/transcript/ports.ts'
import { alignLimits } from '../../actors/transcript/state.ts'
import type { FileResult } from '../../actors/transcript/state.ts'
import { settingsOf } from '../batches/submit.ts'
import { textTypes } from '../batches/texts.ts'
import { subtitleDocs } from '../batches/text-docs.ts'
import { receiveRecording } from '../compatible/receive.ts'
import { beginWaiting, waitForAll, refusalsWhileWaiting } from '../compatible/while-waiting.ts'
import type { CompatibleLimits, CompatiblePorts } from '../compatible/while-waiting.ts'
import { inWords } from '../files/multipart.ts'
import { openPlaces } from '../places.ts'
import { route } from '../route.ts'
import type { Answer, Route } from '../route.ts'
import { badToken, failure, takesNothing } from '../wire.ts'
import { alignForm, alignForms, alignment, presentAlignment } from './schemas.ts'
import type { AlignForm } from './schemas.ts'

export interface AlignPorts extends CompatiblePorts {
  readonly lines: LineRenderer
}

/** Four bytes for a character, and some more. */
const form = { schema: alignForm, fieldMaxBytes: 128 * 1024 }

export function alignRoute(ports: AlignPorts, waiting: CompatibleLimits): Route {
  const limits = { ...waiting, form, maxSeconds: Math.min(waiting.maxSeconds, alignLimits.seconds) }
  const places = openPlaces(limits.places, { what: 'alignments', advice: 'try again later', comeBackSeconds: 30 })
  return route({
    ...takesNothing,
    method: 'post',
    path: '/transcribe/align',
    id: 'alignText',
    summary: 'Find out when the words of a text were said',
    description: `Lays a text over the recording in which it is said and answers with the times of its words, or with subtitles whose cues are its lines. Words that are not found get the time that their neighbours leave, and are marked. The recording waits for its turn like every other, at most ${limits.deadlineMs / 1000} seconds. At most ${inWords(limits.maxFileBytes)}, ${limits.maxSeconds} seconds of sound and ${alignLimits.characters} characters. Who hangs up takes the recording back.`,
    access: 'user',
    body: {
      contentType: 'multipart/form-data',
      description: 'One recording, and what is said in it.',
      schema: alignForm,
      examples: alignForms,
    },
    responses: {
      200: {
        description: 'The words with their times, in the form that was asked for.',
        schema: alignment,
        otherwise: subtitleDocs,
      },
      ...refusalsWhileWaiting(failure),
      401: badToken,
    },
    async handle(request) {
      const leave = places.take(request.principal.owner)
      try {
        const received = await receiveRecording(ports, limits, request)
        const { text: saidText, profile } = received.form
        const settings = { ...settingsOf(profile ? { profile } : {}), saidText }
        const asked = { request, fileId: received.fileId, settings, speechInformation: false, leave }
        return answerOf(ports, await waitForAll(ports, beginWaiting(ports, limits, asked)), received.form)
      } finally {
        leave()
      }
    },
  })
}

function answerOf({ lines }: AlignPorts, result: FileResult, { response_format: format }: AlignForm): Answer {
  if (result.duration_seconds > alignLimits.seconds) throw tooLong(result.duration_seconds)
  if (format === 'json') return { status: 200, body: presentAlignment(result) }
  const headers = { 'Content-Type': `${textTypes[format]}; charset=utf-8` }
  return { status: 200, body: lines.render(result.segments, format), headers }
}

/** Its header said less. */
function tooLong(seconds: number): Error {
  return terminal(
    'too_large',
    `The recording lasts ${Math.round(seconds)} seconds, and the limit here is ${alignLimits.seconds}. Align parts of it.`,
  )
}

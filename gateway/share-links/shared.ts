import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { OpenedShareLink } from '../../actors/share-link/ports.ts'
import { fileOfRun } from '../batches/find-file.ts'
import { isPaperFormat, openPapers, paperDocs } from '../batches/paper.ts'
import { textDocs } from '../batches/text-docs.ts'
import { fileResultOf } from '../batches/present.ts'
import { readable } from '../batches/results.ts'
import type { FileResultPorts } from '../batches/results.ts'
import { isTextFormat } from '../batches/texts.ts'
import { audioAnswer, audioDocs, bleepedAnswer } from '../files/audio.ts'
import type { AudioPorts } from '../files/audio.ts'
import { route } from '../route.ts'
import type { Request, Route } from '../route.ts'
import { badQuery, dependencyAway, failure, takesNothing } from '../wire.ts'
import { sharedQuery, sharedTranscript } from './schemas.ts'

const badLink = { description: 'The link is unknown, revoked or expired. Send it as `Bearer`.', schema: failure }

/** For whoever has a link. Everything is found by the link alone: nothing in the request says whose, or which. */
export function sharedRoutes(ports: FileResultPorts & AudioPorts): Route[] {
  return [readRoute(ports), hearRoute(ports)]
}

function readRoute(ports: FileResultPorts): Route {
  // apart from those of users: a stranger takes no place of theirs
  const onPaper = openPapers(ports.paper)
  return route({
    method: 'get',
    path: '/shared/result',
    id: 'readShared',
    summary: 'Read what a share link shows',
    description:
      'The transcript as its user left it, or, with `format=text`, `srt`, `vtt`, `docx` or `pdf`, for people to read. The share link takes the place of a token.',
    access: 'link',
    params: z.strictObject({}),
    query: sharedQuery,
    responses: {
      200: {
        description: 'The transcript.',
        schema: sharedTranscript,
        otherwise: { ...textDocs, ...paperDocs },
      },
      400: badQuery,
      401: badLink,
      503: dependencyAway,
    },
    async handle({ shared, query }) {
      const { link, run } = opened(shared)
      const { format } = query
      const wanted = { ...query, original: false, chunks: false }
      const file = await fileOfRun(ports, run)
      const all = file && (await fileResultOf(ports, file, wanted))
      if (!file || !all?.result) throw terminal('unauthenticated', 'What this share link showed is no longer kept.')
      const { filename, result } = all
      // without its notes: they are its user's own
      const body = { file_id: all.file_id, filename, status: all.status, result }
      if (isPaperFormat(format)) return onPaper(run.owner, body, { ...query, format })
      if (isTextFormat(format)) return readable({ ...query, format, renderer: ports.renderer }, body)
      const audio =
        link.withAudio && (isRedacted(run) ? isBleeped(run) : run.source.type === 'upload' && !file.isAudioExpired)
      return {
        status: 200,
        body: {
          filename,
          expires_at: new Date(link.untilMs).toISOString(),
          audio,
          result,
          ...(all.waveform && { waveform: all.waveform }),
        },
      }
    },
  })
}

function hearRoute(ports: AudioPorts): Route {
  return route({
    ...takesNothing,
    method: 'get',
    path: '/shared/audio',
    id: 'getSharedAudio',
    summary: 'Hear what a share link shows',
    description: 'The recording, whole or in part, where its user lets it be heard.',
    access: 'link',
    ...audioDocs,
    responses: {
      ...audioDocs.responses,
      401: badLink,
      403: { description: 'The link is for reading only, or the transcript is redacted.', schema: failure },
      404: { description: 'The recording is no longer kept.', schema: failure },
    },
    async handle({ shared, header }) {
      const { link, run } = opened(shared)
      if (!link.withAudio) throw terminal('forbidden', 'This share link is for reading only.')
      if (isBleeped(run)) return bleepedAnswer(ports, run, header)
      if (isRedacted(run))
        throw terminal('forbidden', 'The recording says what was taken out of the transcript: it is not shared.')
      return audioAnswer(ports, run, header)
    },
  })
}

function isRedacted({ settings }: OpenedShareLink['run']): boolean {
  return settings.redact !== undefined
}

/** Only uploads are. */
function isBleeped({ settings }: OpenedShareLink['run']): boolean {
  return settings.redactAudio === true
}

/** `app.ts` lets nobody in without one. */
function opened(shared: Request['shared']): OpenedShareLink {
  if (!shared) throw new Error('a route that share links open was reached without one')
  return shared
}

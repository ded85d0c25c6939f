import { z } from 'zod'

import type { SessionTurn, TurnStore, SessionRecordings } from '../../actors/session-recording/ports.ts'
import { scripts } from '../../actors/transcript/state.ts'
import type { FileResult } from '../../actors/transcript/state.ts'
import { findFile } from '../batches/find-file.ts'
import type { FindPorts } from '../batches/find-file.ts'
import { fileResultOf } from '../batches/present.ts'
import type { Presenting } from '../batches/present.ts'
import { jobStatuses } from '../batches/result-schemas.ts'
import { filePath, notFoundBody } from '../batches/schemas.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, idText } from '../wire.ts'
import { textOfTurn } from './turn-text.ts'

export interface TurnsPorts extends FindPorts, Presenting {
  readonly sessionRecordings: Pick<SessionRecordings, 'find' | 'obstacle'>
  readonly turnStore: Pick<TurnStore, 'read'>
}

const turn = z
  .strictObject({
    item_id: z.string().describe('Of the item in the session.'),
    role: z.enum(['user', 'assistant']),
    start: z.number().describe('Seconds of the recording.'),
    end: z.number(),
    live_text: z
      .string()
      .optional()
      .describe(
        'As it was transcribed, or written, while the session lasted; left out where the transcript is redacted.',
      ),
    text: z.string().optional().describe('What the newest transcript says there; absent until there is one.'),
  })
  .meta({ id: 'SessionTurn' })

const sessionTurns = z
  .strictObject({
    file_id: idText,
    session_id: z.string(),
    status: z
      .enum(['recording', ...jobStatuses])
      .describe(
        '`recording` until it is a file that waits to be transcribed; then how far its newest transcription is.',
      ),
    batch_id: idText.optional(),
    hindered_by: z
      .strictObject({ reason: z.enum(['quota']), message: z.string() })
      .optional()
      .describe('While it is `recording`: what keeps it from becoming a file, and what you can do.'),
    turns: z.array(turn).describe('In order of time; empty while it is recorded.'),
  })
  .meta({ id: 'SessionTurns' })

type TurnsBody = z.input<typeof sessionTurns>

export function sessionTurnsRoute(ports: TurnsPorts): Route {
  return route({
    method: 'get',
    path: '/files/{file_id}/turns',
    id: 'getSessionTurns',
    summary: 'Read the turns of a session that was kept',
    description:
      'Of a file that a realtime session became (`"vaak": {"keep": true}`): each turn as it was known live, and what the transcript of the recording says in its place.',
    access: 'user',
    params: filePath,
    query: z.strictObject({
      script: z.enum(scripts).optional().describe('Of `text`; without it, as the transcript was submitted.'),
    }),
    responses: {
      200: { description: 'The turns.', schema: sessionTurns },
      400: badQuery,
      401: badToken,
      404: { description: 'No session of yours became, or becomes, a file with this id.', schema: notFoundBody },
      503: dependencyAway,
    },
    async handle({ principal, params, query }) {
      const ref = { owner: principal.owner, fileId: params.file_id }
      const live = await ports.turnStore.read(ref)
      const file = live && (await findFile(ports, ref.owner, ref.fileId))
      if (!live || !file) return beginning(ports, ref)
      const result = await fileResultOf(ports, file, { ...plainly, script: query.script })
      if (!result) return notFound('file')
      const isRedacted = file.run?.settings.redact !== undefined
      const body: TurnsBody = {
        file_id: ref.fileId,
        session_id: live.sessionId,
        status: result.status,
        batch_id: file.ref.batchId,
        turns: live.turns.map((one) => presentTurn(one, { result: result.result, isRedacted })),
      }
      return { status: 200, body }
    },
  })
}

const plainly = { chunks: false, speech_information: false, original: false, tags: false }

/** While nobody has made a file of it. */
async function beginning(ports: TurnsPorts, ref: Parameters<SessionRecordings['find']>[0]) {
  const recording = await ports.sessionRecordings.find(ref)
  if (!recording || recording === 'newer') return notFound('file')
  const obstacle = await ports.sessionRecordings.obstacle(ref)
  const body: TurnsBody = {
    file_id: ref.fileId,
    session_id: recording.sessionId,
    status: 'recording',
    ...(obstacle && { hindered_by: obstacle }),
    turns: [],
  }
  return { status: 200, body }
}

function presentTurn(
  { live_text, ...known }: SessionTurn,
  { result, isRedacted }: { readonly result: FileResult | undefined; readonly isRedacted: boolean },
): z.input<typeof turn> {
  return {
    ...known,
    ...(!isRedacted && { live_text }),
    ...(result && { text: textOfTurn(known, result.segments) }),
  }
}

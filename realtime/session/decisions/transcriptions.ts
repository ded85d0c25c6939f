import type { TranscribedTurn } from '../../../actors/conversation/ports.ts'
import type { Refusal } from '../../wire/refusal.ts'
import type { ServerEvent } from '../../wire/server-events.ts'
import { clipSeconds } from '../audio-clip.ts'
import { findItem, withReplaced } from '../items/conversation.ts'
import type { TranscriptionEvent } from '../protocol.ts'
import type { ClipToTranscribe, SessionState, TranscriptionJob, TurnTimes } from '../state.ts'
import { closeWhenDrained } from './life.ts'
import { change, doNow, inOrder, send, unchanged } from './step.ts'
import type { SessionDecision, SessionStep } from './step.ts'

type Event<Type extends TranscriptionEvent['type']> = Extract<TranscriptionEvent, { type: Type }>

export function noRoomToTranscribe(state: SessionState, more: number): Refusal | undefined {
  const most = state.about.limits.transcriptions
  if (state.transcribing.length + more <= most) return undefined
  const message = `At most ${most} turns wait to be heard at once. Wait for their transcriptions.`
  return { type: 'rate_limit_error', code: 'rate_limit_exceeded', message, param: null }
}

/** At once where the client wants the words, otherwise when somebody first asks what was said. */
export function transcribe(clip: ClipToTranscribe): SessionStep {
  return (state) => {
    if (state.settings.transcription) return startJob(state, clip)
    const untranscribed = newest([...state.untranscribed, clip], state.about.limits.untranscribedSeconds)
    return { state: { ...state, untranscribed }, effects: [] }
  }
}

export function transcribeAll(state: SessionState): SessionDecision {
  return inOrder(state, [
    change({ untranscribed: [] }),
    ...state.untranscribed.map(
      (clip): SessionStep =>
        (current) =>
          startJob(current, clip),
    ),
  ])
}

/** Its item comes into the conversation when the turn is over. */
export function pieceFollowed(state: SessionState, { itemId, text }: Event<'PieceFollowed'>): SessionDecision {
  if (itemId !== state.turnItemId || !state.settings.transcription) return unchanged(state)
  return inOrder(state, [change({ toldItemId: itemId }), send(delta({ itemId, contentIndex: 0 }, text))])
}

export function pieceTranscribed(state: SessionState, { jobId, text }: Event<'PieceTranscribed'>): SessionDecision {
  const job = findJob(state, jobId)
  if (!job?.isTold) return unchanged(state)
  const transcribing = state.transcribing.map((one) => (one === job ? { ...job, hasPieces: true } : one))
  return inOrder(state, [change({ transcribing }), send(delta(job, text))])
}

export function turnTranscribed(state: SessionState, event: Event<'TurnTranscribed'>): SessionDecision {
  const { jobId, turn, tookMs } = event
  const job = findJob(state, jobId)
  if (!job) return unchanged(state)
  return inOrder(state, [
    job.isTurn ? doNow({ type: 'Measure', stage: 'asr_ms', ms: tookMs }) : unchanged,
    (current) => ({ state: withText(withTime(current, job, tookMs), job, turn), effects: [] }),
    job.isTold ? send(...told(job, turn)) : unchanged,
    (current) => jobOver(current, job),
    closeWhenDrained,
  ])
}

export function transcriptionFailed(state: SessionState, event: Event<'TranscriptionFailed'>): SessionDecision {
  const { jobId, code, message } = event
  const job = findJob(state, jobId)
  if (!job) return unchanged(state)
  const fields = { ...contentOf(job), error: { type: 'transcription_error', code, message } }
  return inOrder(state, [
    job.isTold ? send({ type: 'conversation.item.input_audio_transcription.failed', fields }) : unchanged,
    (current) => jobOver(current, job),
    closeWhenDrained,
  ])
}

/** Its item left before it was transcribed. */
export function transcriptionStopped(state: SessionState, { jobId }: Event<'TranscriptionStopped'>): SessionDecision {
  const job = findJob(state, jobId)
  if (!job) return unchanged(state)
  return inOrder(state, [(current) => jobOver(current, job), closeWhenDrained])
}

export function withoutTranscription(state: SessionState, itemId: string): SessionDecision {
  const jobs = state.transcribing.filter((job) => job.itemId === itemId)
  return {
    state: { ...state, untranscribed: state.untranscribed.filter((clip) => clip.itemId !== itemId) },
    effects: jobs.map(({ id }) => ({ type: 'StopTranscription', jobId: id })),
  }
}

function startJob(state: SessionState, { itemId, contentIndex, audio, isTurn }: ClipToTranscribe): SessionDecision {
  const { transcription } = state.settings
  const id = state.jobsBegun
  const job = {
    id,
    itemId,
    contentIndex,
    isTurn,
    isTold: transcription !== null,
    hasPieces: itemId === state.toldItemId,
  }
  return {
    state: { ...state, jobsBegun: id + 1, transcribing: [...state.transcribing, job] },
    effects: [{ type: 'Transcribe', jobId: id, itemId, audio, transcription }],
  }
}

function jobOver(state: SessionState, job: TranscriptionJob): SessionDecision {
  return { state: { ...state, transcribing: state.transcribing.filter(({ id }) => id !== job.id) }, effects: [] }
}

function findJob(state: SessionState, jobId: number): TranscriptionJob | undefined {
  return state.transcribing.find(({ id }) => id === jobId)
}

/** The oldest leave first; the newest stays, however long it is. */
function newest(clips: readonly ClipToTranscribe[], secondsMax: number): readonly ClipToTranscribe[] {
  let seconds = 0
  const first = clips.findLastIndex(({ audio }) => (seconds += clipSeconds(audio)) > secondsMax)
  return clips.slice(Math.min(first + 1, clips.length - 1))
}

/** A response may have begun to answer the turn in the meantime. */
function withTime(state: SessionState, job: TranscriptionJob, asrMs: number): SessionState {
  if (!job.isTurn) return state
  const timed = (times: TurnTimes | undefined) => (times?.itemId === job.itemId ? { ...times, asrMs } : times)
  return {
    ...state,
    lastTurn: timed(state.lastTurn),
    responses: state.responses.map((response) => ({ ...response, times: timed(response.times) })),
  }
}

function withText(
  state: SessionState,
  { itemId, contentIndex }: TranscriptionJob,
  { text, languages: [language] }: TranscribedTurn,
): SessionState {
  const item = findItem(state.conversation, itemId)
  if (item?.type !== 'message') return state
  const transcript = state.settings.transcription ? text : null
  const part = { type: 'input_audio', transcript, text, ...(language === undefined ? {} : { language }) } as const
  const parts = item.parts.with(contentIndex, part)
  return { ...state, conversation: withReplaced(state.conversation, { ...item, parts }) }
}

/** Of an item whose words are known already. */
export function tellTranscript(itemId: string, turn: TranscribedTurn): SessionStep {
  return send(...told({ itemId, contentIndex: 0, hasPieces: false }, turn))
}

function told(
  job: Content & Pick<TranscriptionJob, 'hasPieces'>,
  { text, seconds, languages }: TranscribedTurn,
): ServerEvent[] {
  return [
    ...(job.hasPieces || text === '' ? [] : [delta(job, text)]),
    {
      type: 'conversation.item.input_audio_transcription.completed',
      fields: {
        ...contentOf(job),
        transcript: text,
        usage: { type: 'duration', seconds },
        ...(languages.length > 0 ? { languages: languages.map((code) => ({ code })) } : {}),
      },
    },
  ]
}

type Content = Pick<TranscriptionJob, 'itemId' | 'contentIndex'>

function delta(content: Content, text: string): ServerEvent {
  return {
    type: 'conversation.item.input_audio_transcription.delta',
    fields: { ...contentOf(content), delta: text },
  }
}

function contentOf({ itemId, contentIndex }: Content) {
  return { item_id: itemId, content_index: contentIndex }
}

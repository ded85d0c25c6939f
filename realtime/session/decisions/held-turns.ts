import { clipSeconds } from '../audio-clip.ts'
import type { Item } from '../items/items.ts'
import type { SessionEvent } from '../protocol.ts'
import type { SessionState } from '../state.ts'
import { insertItem } from './item-changes.ts'
import { goesOnSpeaking } from './playback.ts'
import { change, doNow, inOrder, send, unchanged } from './step.ts'
import type { SessionDecision } from './step.ts'
import { tellTranscript } from './transcriptions.ts'
import { beginTurn } from './turns.ts'

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>

/** What was said over an answer is meant to end it. */
export function heldTurnBegan(
  state: SessionState,
  { itemId }: Pick<Event<'HeldTurnBegan'>, 'itemId'>,
  nowMs: number,
): SessionDecision {
  const { heldTurn } = state
  return heldTurn?.itemId === itemId ? beginTurn(heldTurn, nowMs)(state) : unchanged(state)
}

/** What was said stays in the conversation; nothing ends or begins by it. */
export function backchannelHeard(
  state: SessionState,
  event: Event<'BackchannelHeard'>,
  nowMs: number,
): SessionDecision {
  const { itemId, word, audio, inputEnd } = event
  if (state.heldTurn?.itemId !== itemId) return unchanged(state)
  // the answer ended meanwhile: who says yes to its last words wants to be answered
  if (!goesOnSpeaking(state, nowMs)) return heldTurnBegan(state, event, nowMs)
  const { transcription } = state.settings
  const part = { type: 'input_audio', transcript: transcription ? word : null, text: word } as const
  const item: Item = { type: 'message', id: itemId, role: 'user', status: 'completed', parts: [part] }
  const turn = { text: word, languages: [], seconds: clipSeconds(audio) }
  return inOrder(state, [
    change({ heldTurn: undefined }),
    doNow({ type: 'DropInput', before: inputEnd }),
    insertItem({ item }, (previous) => [
      send({ type: 'conversation.item.added', item, after: previous }),
      send({ type: 'conversation.item.done', item, after: previous }),
    ]),
    doNow({ type: 'KeepAudio', itemId, audio }),
    transcription ? tellTranscript(itemId, turn) : unchanged,
  ])
}

import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'

import { charactersOf } from '../../../realtime/session/items/items.ts'
import type { SessionEffect, SessionEvent } from '../../../realtime/session/protocol.ts'
import { defaultSettings, withPatch } from '../../../realtime/session/settings/settings.ts'
import type { SessionState } from '../../../realtime/session/state.ts'
import {
  aClause,
  aClip,
  aMessage,
  DecidedSession,
  responseCompleted,
  responseWanted,
  turnCommitted,
  turnStarts,
  turnStops,
} from '../../support/decided-session.ts'

const limits = { items: 5, transcriptions: 2, responses: 2, responsesPerMinute: 20, conversationCharacters: 60 }
const runs = 1_000

interface Choice {
  readonly what: number
  readonly which: number
  readonly passedMs: number
}

const choices = fc.array(
  fc.record({ what: fc.nat(999), which: fc.nat(99), passedMs: fc.constantFrom(0, 10, 300, 2_000) }),
  { minLength: 1, maxLength: 120, size: 'max' },
)

const usage = { inputTokens: 3, outputTokens: 4, cachedTokens: 0 }
const settingsOf = [
  withPatch(defaultSettings('asha'), { turnDetection: { type: 'server_vad', idleTimeoutMs: 500 } }),
  withPatch(defaultSettings('asha'), { turnDetection: { type: 'server_vad', interruptResponse: false } }),
  withPatch(defaultSettings('asha'), { transcription: {}, turnDetection: { type: 'server_vad', idleTimeoutMs: 100 } }),
  withPatch(defaultSettings('asha'), { transcription: {}, turnDetection: null }),
  withPatch(defaultSettings('asha'), { transcription: {}, turnDetection: { type: 'semantic_vad' } }),
]

type Chosen = (state: SessionState, name: string, which: number) => SessionEvent | undefined

/** What can happen, ordinary things more often than others; ids are those of things that are or were there. */
const happenings: readonly [number, Chosen][] = [
  [3, ({ turnItemId, heldTurn }, name) => ((turnItemId ?? heldTurn) === undefined ? turnStarts(name) : undefined)],
  [3, ({ turnItemId, heldTurn }, name) => ((turnItemId ?? heldTurn) === undefined ? undefined : turnStops(name))],
  [1, ({ heldTurn }, name) => ({ type: 'HeldTurnBegan', itemId: heldTurn?.itemId ?? name })],
  [2, ({ heldTurn }, name) => backchannel(heldTurn?.itemId ?? name)],
  [2, (_, name) => turnCommitted(name)],
  [1, () => ({ type: 'ClearInput' })],
  [1, () => ({ type: 'ClearOutput' })],
  [1, (_, name) => ({ type: 'VoiceTimedOut', itemId: name, startMs: 0, endMs: 10 })],
  [3, () => responseWanted()],
  [1, () => responseWanted('none')],
  [1, () => ({ type: 'CancelResponse', responseId: undefined, causedBy: null })],
  [1, (state, _, which) => ({ type: 'CancelResponse', responseId: someResponse(state, which), causedBy: null })],
  [3, (state, name, which) => began(someResponse(state, which), name, which % 2 === 0 ? 'text' : 'audio')],
  [2, (state, _, which) => ({ type: 'TextWritten', responseId: someResponse(state, which), delta: 'word ' })],
  [2, (state, _, which) => ({ type: 'ClauseSpoken', responseId: someResponse(state, which), clause: aClause('Hm.') })],
  [2, (state, _, which) => ({ type: 'AudioSent', responseId: someResponse(state, which), base64: 'AAAA', ms: 200 })],
  [2, (state, itemId, which) => called(someResponse(state, which), itemId)],
  [1, (state, _, which) => ({ type: 'ArgumentsWritten', responseId: someResponse(state, which), delta: '{}' })],
  [1, (state, _, which) => ({ type: 'TokensUsed', responseId: someResponse(state, which), usage })],
  [3, (state, _, which) => responseCompleted(someResponse(state, which))],
  [2, (_, name) => aMessage(name)],
  [1, (_, name) => ({ ...aMessage(name), clips: [{ contentIndex: 0, audio: aClip(100) }] })],
  [1, (state, _, which) => ({ type: 'DeleteItem', itemId: someItem(state, which), causedBy: null })],
  [1, (state, _, which) => truncated(someItem(state, which), which)],
  [1, (state, itemId) => ({ type: 'PieceFollowed', itemId: state.turnItemId ?? itemId, text: 'piece' })],
  [1, (_, __, which) => ({ type: 'PieceTranscribed', jobId: which % 8, text: 'piece' })],
  [3, (state, _, which) => transcribed(someJob(state, which))],
  [1, (state, _, which) => ({ type: 'TranscriptionStopped', jobId: someJob(state, which) })],
  [1, (state, _, which) => ({ type: 'TranscriptionFailed', jobId: someJob(state, which), code: 'x', message: 'x' })],
  [1, (_, __, which) => ({ type: 'UpdateSettings', settings: settingsOf[which % settingsOf.length]! })],
]
/** How a session ends: seldom, because nothing comes after it. */
const endings: readonly SessionEvent[] = [
  { type: 'Drain' },
  { type: 'Expire' },
  { type: 'SocketGone', isDone: false },
  { type: 'TakenOver' },
]
const table = happenings.flatMap(([weight, chosen]) => Array.from({ length: weight }, () => chosen))

function eventFor(state: SessionState, { what, which }: Choice, at: number): SessionEvent | undefined {
  if (what >= 990) return endings[which % endings.length]
  return table[what % table.length]!(state, `item_${at}`, which)
}

/** One that is under way, or another. */
const someResponse = ({ responses }: SessionState, which: number): string =>
  responses[which % 3]?.id ?? `resp_${which % 10}`
const someItem = ({ conversation: { items } }: SessionState, which: number): string => items[which % 7]?.id ?? 'nothing'
const someJob = ({ transcribing }: SessionState, which: number): number => transcribing[which % 3]?.id ?? which % 10
const began = (responseId: string, itemId: string, kind: 'text' | 'audio') =>
  ({ type: 'MessageBegan', responseId, itemId, kind }) as const
const backchannel = (itemId: string) =>
  ({ type: 'BackchannelHeard', itemId, word: 'हाँ', audio: aClip(300), inputEnd: 4_800 }) as const
const called = (responseId: string, itemId: string) =>
  ({ type: 'CallBegan', responseId, itemId, callId: 'call', name: 'weather' }) as const
const transcribed = (jobId: number) =>
  ({ type: 'TurnTranscribed', jobId, turn: { text: 'said', languages: ['en'], seconds: 1 }, tookMs: 5 }) as const
const truncated = (itemId: string, which: number) =>
  ({ type: 'TruncateItem', itemId, contentIndex: 0, audioEndMs: which, causedBy: null }) as const

interface Moment {
  readonly event: SessionEvent
  readonly before: SessionState
  readonly after: SessionState
  readonly effects: readonly SessionEffect[]
}

/** Lets a session live through the choices; `look` sees every moment of it. */
function live(session: DecidedSession, chosen: readonly Choice[], look: (moment: Moment) => void): void {
  for (const [at, choice] of chosen.entries()) {
    session.nowMs += choice.passedMs
    const before = frozen(session.state)
    const event = eventFor(before, choice, at)
    if (!event) continue
    const effects = session.tell(frozen(event))
    look({ event, before, after: session.state, effects })
  }
}

function holds(t: ExecutionContext, property: (session: DecidedSession, chosen: readonly Choice[]) => void): void {
  const seed = Math.floor(Math.random() * 2 ** 31)
  t.log(`seed ${seed}, ${runs} sessions`)
  const lives = fc.property(choices, fc.nat(settingsOf.length - 1), (chosen, which) =>
    property(new DecidedSession({ limits, settings: settingsOf[which]! }), chosen),
  )
  t.notThrows(() => fc.assert(lives, { seed, numRuns: runs }))
}

test('whatever happens is decided, and nothing that was decided before is changed by it', (t) => {
  holds(t, (session, chosen) =>
    live(session, chosen, ({ after }) => {
      const { items, characters } = after.conversation
      check(characters === items.reduce((sum, item) => sum + charactersOf(item), 0), 'characters are counted wrong')
      check(items.length <= limits.items, 'there are too many items')
    }),
  )
})

test('there are never two responses at once in the conversation', (t) => {
  holds(t, (session, chosen) =>
    live(session, chosen, ({ after }) => {
      check(after.responses.filter(({ inConversation }) => inConversation).length <= 1, after.responses)
      check(after.responses.length <= limits.responses, after.responses)
    }),
  )
})

test('every response that is created is started once and ended exactly once, and so are its items', (t) => {
  holds(t, (session, chosen) => {
    live(session, chosen, () => undefined)
    for (const { id } of session.state.responses) session.tell(responseCompleted(id))
    const isCut = session.effects.some(({ type }) => type === 'Close' || type === 'Release')
    const created = idsOf(session, 'response.created')
    check(sameIds(created, startedIn(session)), 'started otherwise than created')
    check(within(idsOf(session, 'response.done'), created), 'ended twice, or never created')
    check(isCut || sameIds(created, idsOf(session, 'response.done')), 'not ended')
    const added = idsOf(session, 'response.output_item.added')
    check(within(idsOf(session, 'response.output_item.done'), added), 'an item ended twice, or never began')
    check(isCut || sameIds(added, idsOf(session, 'response.output_item.done')), 'an item did not end')
  })
})

test('a turn that began is committed once, under the id it began with, or cleared or given up', (t) => {
  holds(t, (session, chosen) =>
    live(session, chosen, ({ event, before, after, effects }) => {
      const { turnItemId } = before
      if (turnItemId === undefined || after.turnItemId === turnItemId) return
      const committed = session.sent(effects).flatMap((one) => ('fields' in one ? [one] : []))
      const isCommitted = committed.some(
        ({ type, fields }) => type === 'input_audio_buffer.committed' && fields.item_id === turnItemId,
      )
      const isRefused = event.type === 'SpeechStopped' && session.types(effects).includes('error')
      const isGivenUp = ['ClearInput', 'UpdateSettings', 'VoiceTimedOut'].includes(event.type)
      check(isCommitted || isRefused || isGivenUp || after.phase === 'closed', { event, before: turnItemId })
    }),
  )
})

test('a session closes or is released once, and after that nothing is sent or done', (t) => {
  holds(t, (session, chosen) => {
    live(session, chosen, ({ before, effects }) => check(before.phase !== 'closed' || effects.length === 0, effects))
    const ends = session.effects.flatMap(({ type }, at) => (type === 'Close' || type === 'Release' ? [at] : []))
    check(ends.length <= 1 && (ends.length === 0 || ends[0] === session.effects.length - 1), ends)
  })
})

test('a session that is drained closes as soon as what was under way has ended', (t) => {
  holds(t, (session, chosen) => {
    live(session, chosen, () => undefined)
    session.tell({ type: 'Drain' })
    for (const { id } of session.state.responses) session.tell(responseCompleted(id))
    for (const { id } of session.state.transcribing) session.tell(transcribed(id))
    check(session.state.phase === 'closed', session.state)
  })
})

function idsOf(session: DecidedSession, type: string): string[] {
  return session.sent().flatMap((event) => {
    if (event.type !== type) return []
    if ('response' in event) return [event.response.id]
    return 'item' in event ? [event.item.id] : []
  })
}

function startedIn(session: DecidedSession): string[] {
  return session.effects.flatMap((effect) => (effect.type === 'StartAnswer' ? [effect.responseId] : []))
}

/** Each at most once, and none that is not among the others. */
function within(some: readonly string[], all: readonly string[]): boolean {
  return new Set(some).size === some.length && some.every((id) => all.includes(id))
}

function sameIds(some: readonly string[], others: readonly string[]): boolean {
  return within(some, others) && within(others, some)
}

/** All the way down, but for samples. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value
  for (const inside of Object.values(value)) frozen(inside)
  return Object.freeze(value)
}

function check(isTrue: boolean, what: unknown): void {
  if (!isTrue) throw new Error(JSON.stringify(what))
}

import type { AnswerRequest } from '../../actors/conversation/ports.ts'
import { terminal } from '../../actors/failure.ts'
import type { ResponseWire } from '../wire/client-events.ts'
import { refused } from '../wire/refusal.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { ServerEvent, Usage } from '../wire/server-events.ts'
import { startAnswer } from './answer.ts'
import type { Answer } from './answer.ts'
import { fitting, turnsOf } from './context.ts'
import type { Item } from './items.ts'
import { createPlayhead } from './playhead.ts'
import type { Playhead } from './playhead.ts'
import type { Rates } from './rates.ts'
import { plannedResponse } from './response-plan.ts'
import type { PlannedResponse } from './response-plan.ts'
import { writeResponse } from './response-writer.ts'
import type { ResponseWriter, WriterOf } from './response-writer.ts'
import type { Settings } from './settings.ts'
import type { SessionSurroundings } from './surroundings.ts'
import { startStopwatch } from './stopwatch.ts'
import type { TurnTimes } from './stopwatch.ts'

/** The responses of a session: one at a time in the conversation, a few beside it. */
export interface Responses {
  readonly running: number
  /** The one in the conversation. */
  readonly active: string | undefined
  /** The newest, whether it still runs or not. */
  readonly last: string | undefined
  create(wanted: WantedResponse): Refusal | undefined
  cancel(responseId: string | undefined): Refusal | undefined
  /** Somebody speaks. */
  interrupt(): void
  /** True when the item is being spoken just now. */
  truncate(itemId: string, heardMs: number): boolean
  stop(): void
}

export interface WantedResponse {
  readonly wire: ResponseWire | undefined
  /** What of a turn that ended is measured. */
  readonly times?: TurnTimes
  /** The item whose silence needs no answer. */
  readonly unlessSilent?: string
}

export interface ResponsesOf {
  readonly surroundings: SessionSurroundings
  readonly conversationId: string
  readonly conversation: WriterOf['conversation'] & { readonly items: readonly Item[] }
  readonly rates: Rates
  readonly playhead: Playhead
  settings(): Settings
  readonly emit: (event: ServerEvent) => void
  /** Resolves when everything that was said is known. */
  known(): Promise<void>
  readonly keep: (itemId: string, pcm: Int16Array) => void
  over(response: { readonly inConversation: boolean }): void
}

interface Running {
  readonly answer: Answer
  readonly writer: ResponseWriter
  readonly playhead: Playhead
  readonly inConversation: boolean
}

export function createResponses(of: ResponsesOf): Responses {
  const { surroundings: around } = of
  const running = new Map<string, Running>()
  let last: string | undefined
  const activeId = (): string | undefined => [...running].find(([, { inConversation }]) => inConversation)?.[0]

  function refusal(planned: PlannedResponse): Refusal | undefined {
    const active = activeId()
    if (planned.inConversation && active !== undefined) return alreadyActive(active)
    if (running.size >= around.limits.responses)
      return tooMany(`At most ${around.limits.responses} responses run at once in a session.`)
    return of.rates.admit(around.clock.elapsedMs())
      ? undefined
      : tooMany('This session has had as many responses or tokens as a minute may have. Wait a minute.')
  }

  function start(planned: PlannedResponse, { times, unlessSilent }: WantedResponse): void {
    const id = around.newId('resp')
    const { settings, inConversation } = planned
    const playhead = inConversation ? of.playhead : createPlayhead()
    const watch = startStopwatch({ around, emit: of.emit, responseId: id, times, settings })
    const writer = writeResponse({
      id,
      settings,
      metadata: planned.metadata,
      conversationId: inConversation ? of.conversationId : null,
      emit: of.emit,
      newId: around.newId,
      ...(inConversation ? { conversation: of.conversation } : {}),
    })
    const answer = startAnswer({
      answers: around.answers,
      speech: { voices: around.voices, keep: inConversation ? of.keep : () => undefined },
      voice: planned.voice,
      settings,
      writer,
      playhead,
      clock: around.clock,
      limits: around.limits,
      log: around.log,
      question: () => question(planned, unlessSilent),
      measured: watch.measured,
      over: (usage) => ended(id, inConversation, usage),
    })
    last = id
    running.set(id, { answer, writer, playhead, inConversation })
  }

  async function question(planned: PlannedResponse, unlessSilent: string | undefined) {
    await of.known()
    const items = planned.items(of.conversation.items)
    if (unlessSilent !== undefined && turnsOf(items.filter(({ id }) => id === unlessSilent)).length === 0)
      return undefined
    return requestOf(planned.settings, items, around.limits.contextCharacters)
  }

  function ended(id: string, inConversation: boolean, usage: Usage): void {
    const now = around.clock.elapsedMs()
    running.delete(id)
    of.rates.used(usage.inputTokens + usage.outputTokens, now)
    of.emit({ type: 'rate_limits.updated', fields: { rate_limits: of.rates.view(now) } })
    of.over({ inConversation })
  }

  function cancel({ answer, writer, playhead }: Running, reason: 'turn_detected' | 'client_cancelled'): void {
    const { speaking } = writer
    const aheadMs = playhead.aheadMs(around.clock.elapsedMs())
    if (speaking) writer.heard(Math.max(0, speaking.sentMs - aheadMs))
    playhead.cut()
    answer.cancel(reason)
  }

  return {
    get running() {
      return running.size
    },
    get active() {
      return activeId()
    },
    get last() {
      return last
    },
    create(wanted) {
      const planned = plannedResponse(wanted.wire, of)
      if ('refusal' in planned) return planned.refusal
      const complaint = refusal(planned)
      if (!complaint) start(planned, wanted)
      return complaint
    },
    cancel(responseId) {
      const id = responseId ?? activeId()
      const found = id === undefined ? undefined : running.get(id)
      if (!found) return refused('response_cancel_not_active', 'Cancellation failed: no active response found')
      cancel(found, 'client_cancelled')
      return undefined
    },
    interrupt() {
      const id = activeId()
      if (id !== undefined) cancel(running.get(id)!, 'turn_detected')
    },
    truncate(itemId, heardMs) {
      const found = [...running.values()].find(({ writer }) => writer.speaking?.itemId === itemId)
      found?.writer.heard(heardMs)
      return found !== undefined
    },
    stop() {
      for (const { answer } of running.values()) answer.abandon()
      running.clear()
    },
  }
}

function requestOf(settings: Settings, items: readonly Item[], charactersMax: number): AnswerRequest {
  const turns = fitting(turnsOf(items), charactersMax, settings.truncation)
  if (!turns)
    throw terminal(
      'too_large',
      `The conversation is longer than ${charactersMax} characters and its truncation is disabled. Delete items or allow truncation.`,
    )
  return {
    instructions: settings.instructions,
    turns,
    tools: settings.tools,
    toolChoice: settings.tools.length === 0 ? 'none' : settings.toolChoice,
    ...(settings.maxOutputTokens === 'inf' ? {} : { tokensMax: settings.maxOutputTokens }),
    temperature: settings.temperature,
  }
}

function alreadyActive(id: string): Refusal {
  return refused(
    'conversation_already_has_active_response',
    `Conversation already has an active response in progress: ${id}. Wait until the response is finished before creating a new one.`,
  )
}

function tooMany(message: string): Refusal {
  return { type: 'rate_limit_error', code: 'rate_limit_exceeded', message, param: null }
}

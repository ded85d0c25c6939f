import { refused } from '../../wire/refusal.ts'
import type { ResponseWire } from '../../wire/client-events.ts'
import type { Refusal } from '../../wire/refusal.ts'
import type { ServerEvent, Usage } from '../../wire/server-events.ts'
import { startAnswer } from './answer.ts'
import type { AgentAnswer } from './answer.ts'
import type { Item } from '../items/items.ts'
import { createPlayhead } from './playhead.ts'
import type { Playhead } from './playhead.ts'
import type { Rates } from './rates.ts'
import { plannedResponse } from './response-plan.ts'
import type { PlannedResponse } from './response-plan.ts'
import { questionOf } from './response-request.ts'
import { writeResponse } from './response-writer.ts'
import type { ResponseWriter, WriterPorts } from './response-writer.ts'
import type { Settings } from '../settings/settings.ts'
import { startStopwatch } from './stopwatch.ts'
import type { TurnTimes } from './stopwatch.ts'
import type { SessionPorts } from '../ports.ts'

interface WantedResponse {
  readonly wire: ResponseWire | undefined
  /** What of a turn that ended is measured. */
  readonly times?: TurnTimes
  /** The item whose silence needs no answer. */
  readonly unlessSilent?: string
}

interface ResponsesOptions {
  readonly ports: SessionPorts
  readonly conversationId: string
  readonly conversation: WriterPorts['conversation'] & { readonly items: readonly Item[] }
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
  readonly id: string
  readonly answer: AgentAnswer
  readonly writer: ResponseWriter
  readonly playhead: Playhead
  readonly inConversation: boolean
}

/** The responses of a session: one at a time in the conversation, a few beside it. */
export class Responses {
  readonly #options: ResponsesOptions
  readonly #ports: SessionPorts
  readonly #running = new Map<string, Running>()
  #last: string | undefined

  constructor(options: ResponsesOptions) {
    this.#options = options
    this.#ports = options.ports
  }

  get running(): number {
    return this.#running.size
  }

  /** The one in the conversation. */
  get active(): string | undefined {
    return this.#inConversation()?.id
  }

  /** The newest, whether it still runs or not. */
  get last(): string | undefined {
    return this.#last
  }

  create(wanted: WantedResponse): Refusal | undefined {
    const planned = plannedResponse(wanted.wire, this.#options)
    if ('refusal' in planned) return planned.refusal
    const complaint = this.#complaint(planned)
    if (!complaint) this.#start(planned, wanted)
    return complaint
  }

  cancel(responseId: string | undefined): Refusal | undefined {
    const found = responseId === undefined ? this.#inConversation() : this.#running.get(responseId)
    if (!found) return refused('response_cancel_not_active', 'Cancellation failed: no active response found')
    this.#cancel(found, 'client_cancelled')
    return undefined
  }

  /** Somebody speaks. */
  interrupt(): void {
    const found = this.#inConversation()
    if (found) this.#cancel(found, 'turn_detected')
  }

  /** True when the item is being spoken just now. */
  truncate(itemId: string, playedMs: number): boolean {
    const found = [...this.#running.values()].find(({ writer }) => writer.speaking?.itemId === itemId)
    found?.writer.played(playedMs)
    return found !== undefined
  }

  stop(): void {
    for (const { answer } of this.#running.values()) answer.abandon()
    this.#running.clear()
  }

  #inConversation(): Running | undefined {
    return [...this.#running.values()].find(({ inConversation }) => inConversation)
  }

  #complaint(planned: PlannedResponse): Refusal | undefined {
    const { limits, clock } = this.#ports
    if (planned.inConversation && this.active !== undefined) return alreadyActive(this.active)
    if (this.#running.size >= limits.responses)
      return tooMany(`At most ${limits.responses} responses run at once in a session.`)
    return this.#options.rates.admit(clock.elapsedMs())
      ? undefined
      : tooMany('This session has had as many responses or tokens as a minute may have. Wait a minute.')
  }

  #start(planned: PlannedResponse, { times, unlessSilent }: WantedResponse): void {
    const { emit } = this.#options
    const ports = this.#ports
    const { settings, inConversation, voice } = planned
    const id = ports.newId('resp')
    const playhead = inConversation ? this.#options.playhead : createPlayhead()
    const watch = startStopwatch({ ports, emit, responseId: id, times, settings })
    const writer = this.#write(id, planned)
    const answer = startAnswer({
      ...ports,
      speech: { voices: ports.voices, keep: inConversation ? this.#options.keep : () => undefined },
      voice,
      settings,
      writer,
      playhead,
      question: () => this.#question(planned, unlessSilent),
      measured: watch.measured,
      over: (usage) => this.#ended(id, inConversation, usage),
    })
    this.#last = id
    this.#running.set(id, { id, answer, writer, playhead, inConversation })
  }

  #write(id: string, { settings, metadata, inConversation }: PlannedResponse): ResponseWriter {
    const { conversationId, conversation, emit } = this.#options
    return writeResponse({
      id,
      settings,
      metadata,
      conversationId: inConversation ? conversationId : null,
      emit,
      newId: this.#ports.newId,
      ...(inConversation ? { conversation } : {}),
    })
  }

  async #question(planned: PlannedResponse, unlessSilent: string | undefined) {
    await this.#options.known()
    return questionOf(planned, {
      conversation: this.#options.conversation.items,
      unlessSilent,
      charactersMax: this.#ports.limits.contextCharacters,
    })
  }

  #ended(id: string, inConversation: boolean, usage: Usage): void {
    const { rates, emit } = this.#options
    const now = this.#ports.clock.elapsedMs()
    this.#running.delete(id)
    rates.used(usage.inputTokens + usage.outputTokens, now)
    emit({ type: 'rate_limits.updated', fields: { rate_limits: rates.view(now) } })
    this.#options.over({ inConversation })
  }

  #cancel({ answer, writer, playhead }: Running, reason: 'turn_detected' | 'client_cancelled'): void {
    const { speaking } = writer
    const aheadMs = playhead.aheadMs(this.#ports.clock.elapsedMs())
    if (speaking) writer.played(Math.max(0, speaking.sentMs - aheadMs))
    playhead.cut()
    answer.cancel(reason)
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

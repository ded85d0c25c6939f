import type { AnswerPart, AnswerRequest, ConversationModel } from '../../actors/conversation/ports.ts'
import { FailureError, sentenceOf } from '../../actors/failure.ts'
import type { Clock, Log } from '../../actors/ports.ts'
import type { Usage } from '../wire/server-events.ts'
import type { SessionLimits } from './limits.ts'
import type { Playhead } from './playhead.ts'
import type { ResponseEnd, ResponseWriter } from './response-writer.ts'
import type { Settings } from './settings.ts'
import { startSpeech } from './speech.ts'
import type { SpeechOutput, SpeechOf } from './speech.ts'

/** One response from the question to its last event. */
export interface AgentAnswer {
  /** Everything is told before this returns. */
  cancel(reason: 'turn_detected' | 'client_cancelled'): void
  /** As `cancel`, telling nothing: the socket is gone. */
  abandon(): void
}

interface AnswerOf {
  readonly answers: ConversationModel
  readonly speech: Pick<SpeechOf, 'voices' | 'keep'>
  /** A voice's id; unused when nothing is spoken. */
  readonly voice: string
  readonly settings: Settings
  readonly writer: ResponseWriter
  readonly playhead: Playhead
  readonly clock: Clock
  readonly limits: SessionLimits
  readonly log: Log
  /** Resolves when what was said is known; to nothing when there is nothing to answer. */
  question(): Promise<AnswerRequest | undefined>
  /** Milliseconds from asking to the first word or call, and from the first word to the first sound. */
  measured(stage: 'llm_ttft_ms' | 'tts_ttfb_ms', ms: number): void
  /** After the last event. */
  over(usage: Usage): void
}

export function startAnswer(of: AnswerOf): AgentAnswer {
  const { writer } = of
  const stopping = new AbortController()
  let isOver = false
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }

  function finish(end: ResponseEnd): void {
    if (isOver) return
    isOver = true
    writer.finish(end, usage)
    of.over(usage)
  }

  async function run(): Promise<void> {
    try {
      const request = await of.question()
      if (isOver) return
      if (!request) return finish(completed)
      finish(await answer(request))
    } catch (error) {
      if (isOver) return // cancelled: everything was told already
      stopping.abort(error)
      finish({ status: 'failed', details: { type: 'failed', error: failureOf(error, of.log) } })
    }
  }

  async function answer(request: AnswerRequest): Promise<ResponseEnd> {
    const mouth = createMouth(of, stopping)
    const askedAt = of.clock.elapsedMs()
    let characters = 0
    let begun = false
    for await (const part of of.answers.answer(request, stopping.signal)) {
      if (isOver) return completed
      if (!begun && (part.kind === 'text' || part.kind === 'call')) {
        of.measured('llm_ttft_ms', of.clock.elapsedMs() - askedAt)
        begun = true
      }
      if (part.kind === 'usage') usage = part
      if (part.kind === 'end') return await ended(part.reason, mouth)
      characters += 'delta' in part ? part.delta.length : 0
      if (characters > of.limits.responseCharacters) return await ended('length', mouth)
      await mouth.take(part)
    }
    return await ended('stop', mouth)
  }

  async function ended(reason: 'stop' | 'length' | 'filtered', mouth: Mouth): Promise<ResponseEnd> {
    await mouth.finish()
    if (reason === 'stop') return completed
    const cause = reason === 'length' ? 'max_output_tokens' : 'content_filter'
    return { status: 'incomplete', details: { type: 'incomplete', reason: cause } }
  }

  void run()
  return {
    cancel(reason) {
      stopping.abort(new Error(`the response was cancelled: ${reason}`))
      finish({ status: 'cancelled', details: { type: 'cancelled', reason } })
    },
    abandon() {
      isOver = true
      stopping.abort(new Error('the session is over'))
    },
  }
}

const completed: ResponseEnd = { status: 'completed', details: null }

/** Brings the parts of an answer out: written, spoken or as calls. */
interface Mouth {
  take(part: AnswerPart): Promise<void>
  finish(): Promise<void>
}

function createMouth(of: AnswerOf, stopping: AbortController): Mouth {
  let speech: SpeechOutput | undefined
  let firstTextAt = 0

  function say(text: string): void {
    if (!speech) {
      if (text.trim() === '') return
      firstTextAt = of.clock.elapsedMs()
      speech = startSpeech({
        ...of,
        ...of.speech,
        signal: stopping.signal,
        begun: () => of.measured('tts_ttfb_ms', of.clock.elapsedMs() - firstTextAt),
        failed: (error) => stopping.abort(error),
      })
    }
    speech.say(text)
  }

  let written = false
  function write(text: string): void {
    if (!written && text.trim() === '') return
    written = true
    of.writer.text(text)
  }

  async function finish(hurry: boolean): Promise<void> {
    const spoken = speech
    speech = undefined
    await spoken?.finish(hurry)
  }

  return {
    async take(part) {
      if (part.kind === 'text') return of.settings.modality === 'audio' ? say(part.delta) : write(part.delta)
      if (part.kind === 'arguments') return of.writer.argument(part.delta)
      if (part.kind !== 'call') return
      await finish(true) // what was said before a call is sent first
      written = false
      if (of.writer.isOpen) of.writer.call(part.callId, part.name)
    },
    finish: () => finish(false),
  }
}

function failureOf(error: unknown, log: Log): { type: string; code: string; message: string } {
  if (error instanceof FailureError)
    return { type: 'server_error', code: error.failure.code, message: sentenceOf(error.failure) }
  log.error('response failed', { error })
  return { type: 'server_error', code: 'internal_error', message: 'The answer failed for a reason that was logged.' }
}

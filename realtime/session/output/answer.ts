import type { AnswerPart, AnswerRequest, ConversationModel } from '../../../actors/conversation/ports.ts'
import { FailureError, sentenceOf } from '../../../actors/failure.ts'
import type { Clock, Log } from '../../../actors/ports.ts'
import type { Usage } from '../../wire/server-events.ts'
import type { SessionLimits } from '../limits.ts'
import type { Playhead } from './playhead.ts'
import type { ResponseEnd, ResponseWriter } from './response-writer.ts'
import type { Settings } from '../settings/settings.ts'
import { startSpeech } from './speech.ts'
import type { SpeechOutput, SpeechOutputPorts } from './speech.ts'

/** One response from the question to its last event. */
export interface AgentAnswer {
  /** Everything is told before this returns. */
  cancel(reason: 'turn_detected' | 'client_cancelled'): void
  /** As `cancel`, telling nothing: the socket is gone. */
  abandon(): void
}

interface AnswerPorts {
  readonly answers: ConversationModel
  readonly speech: Pick<SpeechOutputPorts, 'voices' | 'keep'>
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
  /** Milliseconds from asking to the first word or call, and from the first word to the first audio. */
  measured(stage: 'llm_ttft_ms' | 'tts_ttfb_ms', ms: number): void
  /** After the last event. */
  over(usage: Usage): void
}

export function startAnswer(ports: AnswerPorts): AgentAnswer {
  const { writer } = ports
  const stopping = new AbortController()
  let isOver = false
  let usage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }

  function finish(end: ResponseEnd): void {
    if (isOver) return
    isOver = true
    writer.finish(end, usage)
    ports.over(usage)
  }

  async function run(): Promise<void> {
    try {
      const request = await ports.question()
      if (isOver) return
      if (!request) return finish(completed)
      finish(await answer(request))
    } catch (error) {
      if (isOver) return // cancelled: everything was told already
      stopping.abort(error)
      finish({ status: 'failed', details: { type: 'failed', error: failureOf(error, ports.log) } })
    }
  }

  async function answer(request: AnswerRequest): Promise<ResponseEnd> {
    const output = createAnswerOutput(ports, stopping)
    const askedAt = ports.clock.elapsedMs()
    let characters = 0
    let begun = false
    for await (const part of ports.answers.answer(request, stopping.signal)) {
      if (isOver) return completed
      if (!begun && (part.kind === 'text' || part.kind === 'call')) {
        ports.measured('llm_ttft_ms', ports.clock.elapsedMs() - askedAt)
        begun = true
      }
      if (part.kind === 'usage') usage = part
      if (part.kind === 'end') return await ended(part.reason, output)
      characters += 'delta' in part ? part.delta.length : 0
      if (characters > ports.limits.responseCharacters) return await ended('length', output)
      await output.take(part)
    }
    return await ended('stop', output)
  }

  async function ended(reason: 'stop' | 'length' | 'filtered', output: AnswerOutput): Promise<ResponseEnd> {
    await output.finish()
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
interface AnswerOutput {
  take(part: AnswerPart): Promise<void>
  finish(): Promise<void>
}

function createAnswerOutput(ports: AnswerPorts, stopping: AbortController): AnswerOutput {
  let speech: SpeechOutput | undefined
  let firstTextAt = 0

  function say(text: string): void {
    if (!speech) {
      if (text.trim() === '') return
      firstTextAt = ports.clock.elapsedMs()
      speech = startSpeech({
        ...ports,
        ...ports.speech,
        signal: stopping.signal,
        begun: () => ports.measured('tts_ttfb_ms', ports.clock.elapsedMs() - firstTextAt),
        failed: (error) => stopping.abort(error),
      })
    }
    speech.say(text)
  }

  let written = false
  function write(text: string): void {
    if (!written && text.trim() === '') return
    written = true
    ports.writer.text(text)
  }

  async function finish(hurry: boolean): Promise<void> {
    const spoken = speech
    speech = undefined
    await spoken?.finish(hurry)
  }

  return {
    async take(part) {
      if (part.kind === 'text') return ports.settings.modality === 'audio' ? say(part.delta) : write(part.delta)
      if (part.kind === 'arguments') return ports.writer.argument(part.delta)
      if (part.kind !== 'call') return
      await finish(true) // what was said before a call is sent first
      written = false
      if (ports.writer.isOpen) ports.writer.call(part.callId, part.name)
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

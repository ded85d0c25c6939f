import type { AnswerRequest, ConversationModel } from '../../../actors/conversation/ports.ts'
import { FailureError, sentenceOf } from '../../../actors/failure.ts'
import type { Log } from '../../../actors/ports.ts'
import type { ResponseEnd } from '../state.ts'
import { AnswerOutput } from './answer-output.ts'
import { apologyFor } from './apology.ts'
import type { AnswerOutputPorts } from './answer-output.ts'

interface AnswerPorts extends Omit<AnswerOutputPorts, 'stopping'> {
  readonly answers: ConversationModel
  readonly log: Log
  /** Resolves when what was said is known; to nothing when there is nothing to answer. */
  readonly question: () => Promise<AnswerRequest | undefined>
  /** After everything else was told. */
  readonly ended: (end: ResponseEnd) => void
}

/** One response from the question to its end. */
export class AgentAnswer {
  readonly #ports: AnswerPorts
  readonly #stopping = new AbortController()
  #isStopped = false

  constructor(ports: AnswerPorts) {
    this.#ports = ports
    void this.#run()
  }

  /** Tells nothing any more. */
  stop(reason: string): void {
    this.#isStopped = true
    this.#stopping.abort(new Error(reason))
  }

  async #run(): Promise<void> {
    const { question, ended, log } = this.#ports
    try {
      const request = await question()
      if (this.#isStopped) return
      const end = request ? await this.#answer(request) : completed
      if (!this.#isStopped) ended(end)
    } catch (error) {
      if (this.#isStopped) return
      this.#stopping.abort(error)
      ended(failedWith(failureOf(error, log)))
    }
  }

  async #answer(request: AnswerRequest): Promise<ResponseEnd> {
    const { settings, log } = this.#ports
    const output = new AnswerOutput({ ...this.#ports, stopping: this.#stopping })
    try {
      return await this.#bringOut(request, output)
    } catch (error) {
      const isSpoken = settings.modality === 'audio' && !this.#stopping.signal.aborted
      const apology = isSpoken && !output.hasBegun ? apologyFor(error, request) : undefined
      if (apology === undefined) throw error
      await output.take({ kind: 'text', delta: apology })
      await output.finish()
      return failedWith(failureOf(error, log))
    }
  }

  async #bringOut(request: AnswerRequest, output: AnswerOutput): Promise<ResponseEnd> {
    const { answers, clock, limits, tell } = this.#ports
    const askedAt = clock.elapsedMs()
    let characters = 0
    let begun = false
    for await (const part of answers.answer(request, this.#stopping.signal)) {
      if (this.#isStopped) return completed
      if (!begun && (part.kind === 'text' || part.kind === 'call')) {
        tell({ type: 'StageMeasured', stage: 'llm_ttft_ms', ms: clock.elapsedMs() - askedAt })
        begun = true
      }
      if (part.kind === 'usage') tell({ type: 'TokensUsed', usage: part })
      if (part.kind === 'end') return await endOf(part.reason, output)
      characters += 'delta' in part ? part.delta.length : 0
      if (characters > limits.responseCharacters) return await endOf('length', output)
      await output.take(part)
    }
    return await endOf('stop', output)
  }
}

const completed: ResponseEnd = { status: 'completed', details: null }

async function endOf(reason: 'stop' | 'length' | 'filtered', output: AnswerOutput): Promise<ResponseEnd> {
  await output.finish()
  if (reason === 'stop') return completed
  const cause = reason === 'length' ? 'max_output_tokens' : 'content_filter'
  return { status: 'incomplete', details: { type: 'incomplete', reason: cause } }
}

interface ResponseError {
  readonly type: string
  readonly code: string
  readonly message: string
}

function failedWith(error: ResponseError): ResponseEnd {
  return { status: 'failed', details: { type: 'failed', error } }
}

function failureOf(error: unknown, log: Log): ResponseError {
  if (error instanceof FailureError)
    return { type: 'server_error', code: error.failure.code, message: sentenceOf(error.failure) }
  log.error('response failed', { error })
  return { type: 'server_error', code: 'internal_error', message: 'The answer failed for a reason that was logged.' }
}

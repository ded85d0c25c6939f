import { setTimeout as pause } from 'node:timers/promises'

import { EventSourceParserStream, ParseError } from 'eventsource-parser/stream'
import { z } from 'zod'

import type { AnswerPart, AnswerRequest, ConversationModel } from '../../actors/conversation/ports.ts'
import { FailureError, isRetryable, retryable, terminal } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'
import { chatBody } from './chat-messages.ts'

interface ChatOptions {
  /** Up to and including `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string
  /** To the beginning of the answer, and between two parts of it. */
  readonly timeoutMs: number
  readonly retries: number
  readonly log: Log
  readonly fetch?: typeof fetch
}

const firstPauseMs = 250
const retryAfterMaxMs = 10_000
const callsMax = 64
const eventMaxCharacters = 1_000_000

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().int().min(0).max(callsMax).default(0),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z
    .object({
      prompt_tokens: z.number().default(0),
      completion_tokens: z.number().default(0),
      prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
  error: z.object({ message: z.string().nullish() }).nullish(),
})
type Chunk = z.output<typeof chunkSchema>

/** Any endpoint that speaks OpenAI's chat completions, streamed. */
export function chatModel(options: ChatOptions): ConversationModel {
  return {
    async *answer(request, signal) {
      for (let attempt = 0; ; attempt += 1) {
        let hasBegun = false
        try {
          for await (const part of ask(options, request, signal)) {
            hasBegun = true
            yield part
          }
          return
        } catch (error) {
          signal.throwIfAborted()
          // what was said cannot be taken back: it is not asked again
          if (hasBegun || !isRetryable(error) || attempt >= options.retries) throw error
          options.log.warn('conversation model is asked again', { attempt, error })
          await pause(pauseMs(error, attempt), undefined, { signal })
        }
      }
    },
  }
}

function pauseMs(error: unknown, attempt: number): number {
  const asked =
    error instanceof FailureError && 'retryAfterSeconds' in error.failure ? error.failure.retryAfterSeconds : 0
  return Math.min(retryAfterMaxMs, Math.max((asked ?? 0) * 1000, firstPauseMs * 2 ** attempt))
}

async function* ask(
  options: ChatOptions,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart, void> {
  const watch = new Watch(options.timeoutMs, signal)
  try {
    const response = await send(options, request, watch.signal)
    yield* partsOf(response, watch)
  } catch (error) {
    signal.throwIfAborted()
    throw classify(error, options)
  } finally {
    watch.stop()
  }
}

async function send(options: ChatOptions, request: AnswerRequest, signal: AbortSignal): Promise<Response> {
  const response = await (options.fetch ?? fetch)(`${options.baseUrl}/chat/completions`, {
    method: 'POST',
    redirect: 'error', // the key goes where the operator said and nowhere else
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(options.apiKey !== '' && { authorization: `Bearer ${options.apiKey}` }),
    },
    body: JSON.stringify(chatBody(request, options.model)),
    signal,
  })
  if (response.ok) return response
  await response.body?.cancel()
  throw refusalOf(response)
}

function refusalOf({ status, headers }: Response): FailureError {
  const retryAfterSeconds = Number(headers.get('retry-after')) || 0
  const detail = `The conversation model answered with status ${status}.`
  if (status === 408 || status === 409 || status === 429 || status >= 500)
    return new FailureError({ kind: 'retryable', code: 'remote_unavailable', detail, retryAfterSeconds })
  return terminal('remote_refused', `${detail} The operator should look at LLM_BASE_URL, LLM_MODEL and LLM_API_KEY.`)
}

async function* partsOf(response: Response, watch: Watch): AsyncGenerator<AnswerPart, void> {
  const calls = new Map<number, string>()
  let end: AnswerPart | undefined
  if (!response.body) throw retryable('remote_unavailable', 'The conversation model answered with nothing.')
  const events = new EventSourceParserStream({ maxBufferSize: eventMaxCharacters })
  for await (const { data } of response.body.pipeThrough(new TextDecoderStream()).pipeThrough(events)) {
    watch.renew()
    if (data === '[DONE]') break
    const chunk = chunkSchema.parse(JSON.parse(data))
    if (chunk.error) throw retryable('remote_unavailable', 'The conversation model broke off its answer.')
    yield* partsIn(chunk, calls)
    const reason = chunk.choices[0]?.finish_reason
    if (reason) end = { kind: 'end', reason: endings.get(reason) ?? 'stop' }
  }
  if (!end) throw retryable('remote_unavailable', 'The conversation model broke off its answer.')
  yield end
}

const endings = new Map([
  ['length', 'length'],
  ['content_filter', 'filtered'],
] as const) as ReadonlyMap<string, 'length' | 'filtered'> // as: looked up with what the endpoint says

function* partsIn({ choices, usage }: Chunk, calls: Map<number, string>): Generator<AnswerPart, void> {
  const delta = choices[0]?.delta
  if (delta?.content) yield { kind: 'text', delta: delta.content }
  for (const { index, id, function: called } of delta?.tool_calls ?? []) {
    if (called?.name && !calls.has(index)) {
      const callId = id || `call_${index}`
      calls.set(index, callId)
      yield { kind: 'call', callId, name: called.name }
    }
    const callId = calls.get(index)
    if (callId !== undefined && called?.arguments) yield { kind: 'arguments', callId, delta: called.arguments }
  }
  if (usage)
    yield {
      kind: 'usage',
      inputTokens: usage.prompt_tokens,
      outputTokens: usage.completion_tokens,
      cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    }
}

function classify(error: unknown, { timeoutMs }: ChatOptions): unknown {
  if (error instanceof FailureError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return retryable('remote_unavailable', `The conversation model was silent for ${timeoutMs} ms.`)
  if (error instanceof SyntaxError || error instanceof z.ZodError || error instanceof ParseError)
    return terminal('remote_refused', 'The conversation model answered with something that is no chat completion.')
  // fetch says no more than that of a network that is away
  if (error instanceof TypeError)
    return retryable('remote_unavailable', 'The conversation model cannot be reached.', error)
  return error
}

/** Aborts when the caller does, or when nothing came for so long. */
class Watch {
  readonly #silence = new AbortController()
  readonly #ms: number
  readonly signal: AbortSignal
  #timer: NodeJS.Timeout

  constructor(ms: number, signal: AbortSignal) {
    this.#ms = ms
    this.signal = AbortSignal.any([signal, this.#silence.signal])
    this.#timer = this.#start()
  }

  renew(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#start()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#silence.abort()
  }

  #start(): NodeJS.Timeout {
    const late = (): void => this.#silence.abort(new DOMException('silent for too long', 'TimeoutError'))
    return setTimeout(late, this.#ms)
  }
}

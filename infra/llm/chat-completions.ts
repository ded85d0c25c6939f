import { setTimeout as pause } from 'node:timers/promises'

import { EventSourceParserStream, ParseError } from 'eventsource-parser/stream'
import { z } from 'zod'

import type { AnswerPart, AnswerRequest, ConversationModel } from '../../actors/conversation/ports.ts'
import { FailureError, isRetryable, retryable, terminal } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'
import { haltingFetch } from '../timing/halting-fetch.ts'
import { chatBody } from './chat-messages.ts'
import { dialectAfter, usualDialect } from './dialect.ts'
import type { ChatDialect } from './dialect.ts'
import { failureOfRefusal, readRefusal } from './refusal.ts'
import { SilenceWatch } from './silence-watch.ts'
import { createThoughtFilter } from './thoughts.ts'
import type { ThoughtFilter } from './thoughts.ts'

interface ChatOptions {
  /** Up to and including `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string
  /** To the beginning of the answer, however often it is asked: as long as a person waits. */
  readonly beginWithinMs: number
  /** To the beginning of one attempt, and between two parts of it. */
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
  const endpoint: Endpoint = { ...options, dialect: usualDialect }
  return {
    async *answer(request, signal) {
      const deadlineMs = performance.now() + options.beginWithinMs
      for (let attempt = 0; ; attempt += 1) {
        let hasBegun = false
        try {
          for await (const part of ask(endpoint, request, { signal, firstMs: deadlineMs - performance.now() })) {
            hasBegun = true
            yield part
          }
          return
        } catch (error) {
          signal.throwIfAborted()
          // what was said cannot be taken back: it is not asked again
          if (hasBegun || !isRetryable(error) || attempt >= options.retries) throw error
          const restMs = pauseMs(error, attempt)
          if (performance.now() + restMs >= deadlineMs) throw error
          options.log.warn('conversation model is asked again', { attempt, error })
          await pause(restMs, undefined, { signal })
        }
      }
    },
  }
}

interface Endpoint extends ChatOptions {
  /** As it was found to speak: it is asked in that way from then on. */
  dialect: ChatDialect
}

function pauseMs(error: unknown, attempt: number): number {
  const asked =
    error instanceof FailureError && 'retryAfterSeconds' in error.failure ? error.failure.retryAfterSeconds : 0
  return Math.min(retryAfterMaxMs, Math.max((asked ?? 0) * 1000, firstPauseMs * 2 ** attempt))
}

async function* ask(
  endpoint: Endpoint,
  request: AnswerRequest,
  { signal, firstMs }: { readonly signal: AbortSignal; readonly firstMs: number },
): AsyncGenerator<AnswerPart, void> {
  const { timeoutMs } = endpoint
  const firstWithinMs = Math.max(0, Math.min(firstMs, timeoutMs))
  const watch = new SilenceWatch({ firstMs: firstWithinMs, ms: timeoutMs }, signal)
  try {
    const response = await send(endpoint, request, watch.signal)
    yield* partsOf(response, watch)
  } catch (error) {
    signal.throwIfAborted()
    throw classify(error, watch)
  } finally {
    watch.stop()
  }
}

/** A field that the endpoint does not know is left out at once, and nobody waits for that. */
async function send(endpoint: Endpoint, request: AnswerRequest, signal: AbortSignal): Promise<Response> {
  const { model, dialect, log } = endpoint
  const response = await (endpoint.fetch ?? haltingFetch)(`${endpoint.baseUrl}/chat/completions`, {
    method: 'POST',
    redirect: 'error', // the key goes where the operator said and nowhere else
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(endpoint.apiKey !== '' && { authorization: `Bearer ${endpoint.apiKey}` }),
    },
    body: JSON.stringify(chatBody(request, { model, dialect })),
    signal,
  })
  if (response.ok) return response
  const refusal = await readRefusal(response)
  log.warn('conversation model refused a question', { ...refusal, model })
  const next = dialectAfter(dialect, refusal)
  if (!next) throw failureOfRefusal(refusal)
  endpoint.dialect = next
  return send(endpoint, request, signal)
}

async function* partsOf(response: Response, watch: SilenceWatch): AsyncGenerator<AnswerPart, void> {
  const calls = new Map<number, string>()
  const thoughts = createThoughtFilter()
  let end: AnswerPart | undefined
  if (!response.body) throw retryable('remote_unavailable', 'The conversation model answered with nothing.')
  const events = new EventSourceParserStream({ maxBufferSize: eventMaxCharacters })
  for await (const { data } of response.body.pipeThrough(new TextDecoderStream()).pipeThrough(events)) {
    watch.renew()
    if (data === '[DONE]') break
    const chunk = chunkSchema.parse(JSON.parse(data))
    if (chunk.error) throw retryable('remote_unavailable', 'The conversation model broke off its answer.')
    yield* partsIn(chunk, { calls, thoughts })
    const reason = chunk.choices[0]?.finish_reason
    if (reason) end = { kind: 'end', reason: endings.get(reason) ?? 'stop' }
  }
  if (!end) throw retryable('remote_unavailable', 'The conversation model broke off its answer.')
  yield* saidPart(thoughts.rest())
  yield end
}

const endings = new Map([
  ['length', 'length'],
  ['content_filter', 'filtered'],
] as const) as ReadonlyMap<string, 'length' | 'filtered'> // as: looked up with what the endpoint says

function* saidPart(delta: string): Generator<AnswerPart, void> {
  if (delta !== '') yield { kind: 'text', delta }
}

interface PartsSoFar {
  readonly calls: Map<number, string>
  readonly thoughts: ThoughtFilter
}

function* partsIn({ choices, usage }: Chunk, { calls, thoughts }: PartsSoFar): Generator<AnswerPart, void> {
  const delta = choices[0]?.delta
  if (delta?.content) yield* saidPart(thoughts.take(delta.content))
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

function classify(error: unknown, { silentMs }: SilenceWatch): unknown {
  if (error instanceof FailureError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return retryable('remote_unavailable', `The conversation model was silent for ${silentMs} ms.`)
  if (error instanceof SyntaxError || error instanceof z.ZodError || error instanceof ParseError)
    return terminal('remote_refused', 'The conversation model answered with something that is no chat completion.')
  // fetch says no more than that of a network that is away
  if (error instanceof TypeError)
    return retryable('remote_unavailable', 'The conversation model cannot be reached.', error)
  return error
}

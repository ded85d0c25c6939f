import { setTimeout as pause } from 'node:timers/promises'

import type { History, Verb } from '../history.ts'
import type { Random } from '../../sim/random.ts'

/** One user's way to the service: over any gateway, again and again where that is what a client should do. */
export interface ChaosCaller {
  readonly user: string
  /** One request, whatever comes of it; undefined when no answer came. */
  ask(request: ClientCall): Promise<CallAnswer | undefined>
  /** The same request, also over the other gateway, until there is an answer that settles it; undefined when time is up. */
  insist(request: ClientCall): Promise<CallAnswer | undefined>
}

interface ClientCall {
  readonly verb: Verb
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly key?: string
  readonly json?: unknown
  readonly form?: () => FormData
}

export interface CallAnswer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- fields are read as they are documented
  readonly body: any
}

/** Where a gateway, or who stands before several, is found. */
export interface ChaosAddress {
  readonly name: string
  readonly url: string
}

interface ChaosCallerOptions {
  readonly user: string
  readonly token: string
  readonly gateways: readonly ChaosAddress[]
  readonly random: Random
  readonly history: History
  /** When nobody waits any longer. */
  readonly isOver: () => boolean
}

const answerWithinMs = 10_000
const bugStatuses = 500
const unavailable = 503
/** Still running under this key, too many, or a dependency is away. */
const comeBack = new Set([409, 429, unavailable])

export function openCaller(options: ChaosCallerOptions): ChaosCaller {
  const { user, random, gateways, history, isOver } = options

  const ask = async (request: ClientCall): Promise<CallAnswer | undefined> => {
    const gateway = random.pick(gateways)
    const atMs = history.nowMs()
    const answer = await send(options, gateway, request).catch(() => undefined)
    history.operated({
      client: user,
      verb: request.verb,
      gateway: gateway.name,
      atMs,
      tookMs: history.nowMs() - atMs,
      about: request.key ?? request.path,
      outcome: answer ? (answer.status < 300 ? 'ok' : 'refused') : 'unknown',
      ...(answer && { status: answer.status }),
    })
    if (answer) judge(history, request, answer)
    return answer
  }
  return {
    user,
    ask,
    async insist(request) {
      while (!isOver()) {
        const answer = await ask(request)
        if (answer && !comeBack.has(answer.status)) return answer
        await pause(random.between(200, 700))
      }
      return undefined
    },
  }
}

async function send(
  { token }: ChaosCallerOptions,
  gateway: ChaosAddress,
  request: ClientCall,
): Promise<AnswerWithHeaders> {
  const { method, path, key, json, form } = request
  const response = await fetch(gateway.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(form && { body: form() }),
    signal: AbortSignal.timeout(answerWithinMs),
  })
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, body: await response.json(), ...(retryAfter !== null && { retryAfter }) }
}

interface AnswerWithHeaders extends CallAnswer {
  readonly retryAfter?: string
}

function judge(history: History, { method, path }: ClientCall, { status, body, retryAfter }: AnswerWithHeaders): void {
  const what = `${method} ${path} answered ${status}`
  if (status >= bugStatuses && status !== unavailable)
    history.complain('answers', `${what}: ${JSON.stringify(body).slice(0, 300)}`)
  if (status === unavailable && retryAfter === undefined) history.complain('answers', `${what} without Retry-After`)
}

import { serverLimits } from '../../gateway/server.ts'
import type { Random } from '../sim/random.ts'
import { changes } from './changes.ts'
import { aDraft } from './draft.ts'
import type { Draft, Making } from './draft.ts'
import type { Person, FuzzWorld } from './world.ts'

export interface FuzzRequest extends Draft {
  readonly bytes: Buffer
  /** Whose token or share link it bears, if it is one. */
  readonly caller: Person | undefined
  /** Sent to its end, in a form that any server would understand. */
  readonly isWhole: boolean
  readonly target: string
}

const mostChanges = 3
/** Above it, all the headers together may be more than the server reads. */
const headMax = serverLimits.headerBytes - 1024
/** Characters that no header may have (RFC 9110, 5.5): the request is refused before anyone looks for its route. */
// oxlint-disable-next-line no-control-regex -- they are what it is about
const noHeader = /[\0-\x08\x0a-\x1f\x7f]/
/** A good part stays proper, so that there is always something to find and to lose. */
const unchangedShare = 0.25

/** What comes of a seed and a number, given what the world has learnt. */
export function aRequest(making: Making): FuzzRequest {
  const { random } = making
  const draft = aDraft(making)
  if (!random.chance(unchangedShare))
    for (let left = random.between(1, mostChanges); left > 0; left -= 1) {
      const [name, change] = random.pick(Object.entries(changes))
      change(draft, making)
      draft.changes.push(name)
    }
  return written(draft, making)
}

function written(draft: Draft, { random, world }: Making): FuzzRequest {
  const body = draft.body ?? (draft.json === undefined ? undefined : Buffer.from(JSON.stringify(draft.json)))
  const target = draft.path + (draft.query.length > 0 ? `?${draft.query.join('&')}` : '')
  const framing = framingOf(draft, body)
  const lines = [`${draft.method} ${target} HTTP/1.1`, ...[...draft.headers, ...framing].map((one) => one.join(': '))]
  const whole = Buffer.concat([
    Buffer.from([...lines, '', ''].join('\r\n')),
    ...(body ? [draft.framing === 'chunked' ? inChunks(body, random) : body] : []),
  ])
  const bytes = draft.sentShare === undefined ? whole : whole.subarray(0, Math.floor(whole.length * draft.sentShare))
  const isReadable =
    !draft.isIllFormed &&
    draft.headers.every(([, value]) => !noHeader.test(value)) &&
    lines.join().length < headMax &&
    /^(?:\/|http:\/\/[\w.]+\/)/.test(target)
  const isWhole = bytes.length === whole.length && isReadable
  return { ...draft, body, target, bytes, caller: callerOf(draft, world), isWhole }
}

function callerOf({ headers }: Draft, world: FuzzWorld): Person | undefined {
  const given = headers.filter(([name]) => name === 'Authorization').map(([, value]) => value)
  return given.length === 1
    ? world.people.find(({ token, links }) => [token, ...links].includes(given[0]!.slice('Bearer '.length)))
    : undefined
}

function framingOf({ framing }: Draft, body: Buffer | undefined): [string, string][] {
  if (!body) return []
  return [framing === 'chunked' ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)]]
}

function inChunks(body: Buffer, random: Random): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const chunk = body.subarray(at, at + random.between(1, 4_000))
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
    at += chunk.length
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

const shownBytes = 1_500

/** For a person who wants to see what was sent. */
export function shown({ bytes }: FuzzRequest): string {
  const text = JSON.stringify(bytes.toString('latin1', 0, shownBytes)).replaceAll(/Bearer [\w.-]{20,}/g, 'Bearer …')
  return bytes.length > shownBytes ? `${text} and ${bytes.length - shownBytes} bytes more` : text
}

import type { ExecutionContext } from 'ava'

import { defaultSessionLimits } from '../../realtime/session/limits.ts'
import { openSession } from '../../realtime/session/session.ts'
import type { RunningSession, SessionPorts, SessionStage } from '../../realtime/session/session.ts'
import { anEventLog } from './event-log.ts'
import type { EventLog } from './event-log.ts'
import { aLog } from './log.ts'
import type { LoggedLine } from './log.ts'
import { aDetector, aListener, aModel, someVoices } from './realtime-fakes.ts'
import type { FakeListener, FakeModel } from './realtime-fakes.ts'

export interface TestSession extends EventLog {
  readonly closed: { readonly code: number; readonly reason: string }[]
  readonly model: FakeModel
  readonly listener: FakeListener
  readonly voices: ReturnType<typeof someVoices>
  readonly detector: ReturnType<typeof aDetector>
  readonly running: RunningSession
  readonly log: { readonly lines: LoggedLine[] }
  readonly measured: [SessionStage, number][]
  send(event: object): void
  sendRaw(frame: string): void
  /** The types of all events so far but the deltas' repetitions. */
  types(): string[]
}

export type SessionOptions = Partial<Omit<SessionPorts, 'limits'>> & {
  readonly limits?: Partial<SessionPorts['limits']>
}

/** A session with fakes around it, which ends with the test. */
export function aSession(t: ExecutionContext, options: SessionOptions = {}): TestSession {
  const told = anEventLog()
  const closed: { code: number; reason: string }[] = []
  const measured: [SessionStage, number][] = []
  const log = aLog()
  let counted = 0
  const fakes = { listener: aListener(), model: aModel(), voices: someVoices(), detector: aDetector() }
  const running = openSession({
    dialect: 'ga',
    kind: 'realtime',
    model: 'vaak-realtime',
    detector: fakes.detector,
    listener: fakes.listener,
    answers: fakes.model,
    voices: fakes.voices,
    clock: { nowMs: () => Date.now(), elapsedMs: () => performance.now() },
    newId: (prefix) => `${prefix}_${(counted += 1)}`,
    send(event) {
      if (closed.length > 0) t.fail(`sent after close: ${event}`)
      told.add(JSON.parse(event) as object)
    },
    close: (code, reason) => void closed.push({ code, reason }),
    measure: (stage, ms) => void measured.push([stage, ms]),
    log,
    ...options,
    limits: limitsFor(options.limits ?? none),
  })
  t.teardown(() => running.end())
  return {
    ...fakes,
    ...told,
    closed,
    running,
    log,
    measured,
    send: (event) => running.receive(JSON.stringify(event)),
    sendRaw: (frame) => running.receive(frame),
    types: () =>
      told.events.map(({ type }) => type).filter((type, at, all) => !(type.endsWith('.delta') && all[at - 1] === type)),
  }
}

const none = {}
const known = new WeakMap<object, SessionPorts['limits']>()

/** Sessions with the same limits share their schemas, so the same limits are the same object. */
function limitsFor(changed: Partial<SessionPorts['limits']>): SessionPorts['limits'] {
  const limits = known.get(changed) ?? { ...defaultSessionLimits, aheadMs: 60_000, ...changed }
  known.set(changed, limits)
  return limits
}

/** Sound as a client sends it: 24 kHz, loud or silent. */
export function audioOf(ms: number, loud: boolean): string {
  const pcm = new Int16Array((ms * 24_000) / 1_000)
  if (loud) for (let index = 0; index < pcm.length; index += 1) pcm[index] = 10_000 * Math.sin(index / 10)
  return Buffer.from(pcm.buffer).toString('base64')
}

export function append(session: TestSession, ms: number, loud: boolean): void {
  for (let at = 0; at < ms; at += 100)
    session.send({ type: 'input_audio_buffer.append', audio: audioOf(Math.min(100, ms - at), loud) })
}

/** Somebody says something and falls silent. */
export function speak(session: TestSession, ms = 500): void {
  append(session, 400, false)
  append(session, ms, true)
  append(session, 800, false)
}

export const userSays = (text: string, id?: string) => ({
  type: 'conversation.item.create',
  item: { ...(id === undefined ? {} : { id }), type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})

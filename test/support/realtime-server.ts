import type { ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import type { ClientOptions } from 'ws'

import type { Buckets } from '../../actors/bucket.ts'
import type { ConversationModel, Listener, SpeechDetector, Voices } from '../../actors/conversation/ports.ts'
import { terminal } from '../../actors/failure.ts'
import type { Caller, Identify } from '../../actors/identity.ts'
import { fontFiles } from '../../gateway/console/fonts.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { openSessionSecrets } from '../../infra/identity/session-secrets.ts'
import { newSessionId } from '../../infra/ids/session-ids.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import type { Doors } from '../../realtime/connect/admit.ts'
import { Places } from '../../realtime/connect/places.ts'
import type { KeptSessions } from '../../realtime/kept/kept-sessions.ts'
import type { RunningRecordings } from '../../realtime/recording/recordings.ts'
import { secretIssuer } from '../../realtime/secrets.ts'
import { serveRealtime } from '../../realtime/server.ts'
import type { RunningRealtimeServer, ServerOptions } from '../../realtime/server.ts'
import { defaultSessionLimits } from '../../realtime/session/limits.ts'
import type { SessionVocabularies } from '../../realtime/session/ports.ts'
import { openSession } from '../../realtime/session/session.ts'
import type { SessionLimits } from '../../realtime/session/session.ts'
import { openSpeechStream, streamLimits } from '../../realtime/speech-stream/stream.ts'
import type { StreamLimits } from '../../realtime/speech-stream/stream.ts'
import { eventually } from './eventually.ts'
import { aDetector, aListener, aModel, someVoices } from './realtime-fakes.ts'
import { silentLog } from './silent-log.ts'

interface RealtimeOptions {
  readonly server?: Partial<ServerOptions>
  readonly doors?: Partial<Doors>
  readonly limits?: Partial<SessionLimits>
  readonly streams?: Partial<StreamLimits>
  readonly sessions?: number
  readonly userSessions?: number
  readonly speech?: Partial<Speech>
  /** What a credential becomes; without it any text that begins with `good` is the user of that name. */
  readonly identify?: Identify
  /** What each user may send. */
  readonly bytes?: Buckets
  /** Where sessions are kept for other servers; without it they end with their socket. */
  readonly kept?: KeptSessions
  /** What makes files of sessions; without it none does. */
  readonly recordings?: Pick<RunningRecordings, 'of'>
  /** The words of everybody; without them nobody has any. */
  readonly vocabularies?: SessionVocabularies
}

interface Speech {
  readonly detector: SpeechDetector
  readonly listener: Listener
  readonly answers: ConversationModel
  readonly voices: Voices
}

export interface TestRealtime {
  readonly url: string
  readonly httpUrl: string
  readonly places: Places
  readonly server: RunningRealtimeServer
  readonly connect: (options?: ConnectOptions) => TestClient
}

interface ConnectOptions {
  readonly path?: string
  /** Null sends none. */
  readonly key?: string | null
  readonly protocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  readonly client?: ClientOptions
}

const secrets = openSessionSecrets({ key: Buffer.alloc(32, 1), clock: systemClock })

/** Any key that begins with `good` is good; `ek_…` are real. */
export async function identifyGood(credential: string): Promise<Caller> {
  if (credential.startsWith('ek_')) return secrets.identify(credential)
  if (!credential.startsWith('good')) throw terminal('unauthenticated', 'Incorrect API key provided.')
  return { principal: principalOf('test', credential) }
}

/** The real server on a real port, in this process; what hears, answers and speaks are fakes unless given. */
export async function aRealtimeServer(t: ExecutionContext, options: RealtimeOptions = {}): Promise<TestRealtime> {
  const identify = options.identify ?? identifyGood
  const places = new Places({ sessions: options.sessions ?? 1_000, userSessions: options.userSessions ?? 1_000 })
  const voices = options.speech?.voices ?? someVoices()
  let isDraining = false
  const common = { clock: systemClock, newId: newSessionId, log: silentLog }
  const server = await serveRealtime(
    {
      ...common,
      ...(options.bytes && { bytes: options.bytes }),
      doors: {
        identify,
        voices,
        places,
        origins: { allowed: [], allowLoopback: false },
        relay: { origins: [], key: '', principal: principalOf('relay', 'relay') },
        alsoKnown: [],
        resume: options.kept?.resume,
        isDraining: () => isDraining,
        log: silentLog,
        ...options.doors,
      },
      identify,
      voices,
      fonts: fontFiles(),
      issueSecret: secretIssuer({ ...common, secrets, voices }),
      ready: () => Promise.resolve({ isReady: true, dependencies: {} }),
      isDraining: () => isDraining,
      open: ({ principal, dialect, withheld, kind, model, grant, resumed, speech }, socket, speaker) => {
        const streams = { ...streamLimits, sessionSeconds: 3_600, ...options.streams }
        if (speech) return openSpeechStream({ ...common, settings: speech, voices, socket, limits: streams })
        return openSession({
          ...common,
          detector: aDetector(),
          listener: aListener(),
          answers: aModel(),
          ...options.speech,
          voices,
          dialect,
          withheld,
          kind,
          model,
          ...(grant?.session !== undefined && { defaults: grant.session }),
          ...(grant?.locked && { locked: true }),
          limits: { ...defaultSessionLimits, ...options.limits },
          resumed: resumed?.kept,
          keep: options.kept?.keeper(principal.owner, resumed),
          recordings: options.recordings?.of(principal.owner),
          vocabularies: options.vocabularies,
          speaker,
          send: (event) => socket.send(event),
          close: (code, reason) => socket.close(code, reason),
        })
      },
    },
    {
      host: '127.0.0.1',
      port: 0,
      freePort,
      refuseByStatus: false,
      pingSeconds: 20,
      frameMaxBytes: 1024 * 1024,
      // longer than any busy machine takes
      telephone: { twilioAuthToken: '', publicUrl: '', times: { startMs: 600_000, idleMs: 600_000 } },
      calls: { address: { hosts: ['127.0.0.1'] }, connectMs: 60_000 },
      socketLimits: { sendBufferBytes: 1024 * 1024, framesAtOnce: 30_000, framesPerSecond: 500 },
      ...options.server,
    },
  )
  let isClosed = false
  const drain = async (withinMs: number): Promise<void> => {
    isDraining = true
    if (!isClosed) await server.drain(withinMs)
    isClosed = true
  }
  t.teardown(() => drain(0))
  const scheme = options.server?.tls ? 's' : ''
  const url = `ws${scheme}://127.0.0.1:${server.port}`
  return {
    url,
    httpUrl: `http${scheme}://127.0.0.1:${server.port}`,
    places,
    server: { ...server, drain },
    connect: (to = {}) => aClient(t, url, to),
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read fields as they are documented
export type Event = any

export interface TestClient {
  readonly socket: WebSocket
  readonly events: Event[]
  /** How it was closed. */
  readonly closed: Promise<{ code: number; reason: string }>
  /** Why the upgrade itself was refused. */
  readonly failed: Promise<string>
  send(event: object | string): void
  /** The first event of this type after the `after`-th. */
  next(type: string, after?: number, withinMs?: number): Promise<Event>
}

const answerWithinMs = 120_000

/** As a program connects; gone when the test ends. */
export function aClient(t: ExecutionContext, url: string, options: ConnectOptions = {}): TestClient {
  const { key = 'good', headers = {} } = options
  const socket = new WebSocket(
    `${url}${options.path ?? '/v1/realtime?model=gpt-realtime'}`,
    [...(options.protocols ?? [])],
    {
      headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers },
      ...options.client,
    },
  )
  const events: Event[] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString('utf8'))))
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }))
  })
  const failed = new Promise<string>((resolve) => {
    socket.once('error', (error) => resolve(error.message))
  })
  t.teardown(() => socket.terminate())
  return {
    socket,
    events,
    closed,
    failed,
    send(event) {
      socket.send(typeof event === 'string' ? event : JSON.stringify(event))
    },
    async next(type, after = 0, withinMs = answerWithinMs) {
      const isClosed = (): boolean => socket.readyState === WebSocket.CLOSED
      const find = () => events.slice(after).find((event: { type: string }) => event.type === type)
      // nothing more comes after the end
      await eventually(`${type} comes`, () => find() !== undefined || isClosed(), withinMs)
      return find() ?? Promise.reject(new Error(`closed before ${type} came`))
    },
  }
}

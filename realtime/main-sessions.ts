import { openBuckets } from '../actors/bucket.ts'
import type { Owner } from '../actors/ids.ts'
import type { Log } from '../actors/ports.ts'
import type { Pronunciations } from '../actors/pronunciation/ports.ts'
import { openPronunciations } from '../actors/pronunciation/pronunciations.ts'
import type { StoredPronunciations } from '../actors/pronunciation/state.ts'
import type { Config } from '../infra/config/config.ts'
import { newSessionId } from '../infra/ids/session-ids.ts'
import { openRecords } from '../infra/nats/records/records.ts'
import type { BrokerClient } from '../infra/nats/records/stores.ts'
import { buckets } from '../infra/nats/topology/topology.ts'
import { systemClock } from '../infra/timing/clock.ts'
import { systemTimer } from '../infra/timing/timer.ts'
import { Places } from './connect/places.ts'
import { SessionDays } from './connect/session-days.ts'
import { SharedPlaces } from './connect/shared-places.ts'
import { openKeptSessions } from './kept/kept-sessions.ts'
import type { KeptSessions } from './kept/kept-sessions.ts'
import { startSessionStorage } from './main-storage.ts'
import { speechOfUser, voicesOfUser } from './main-speech.ts'
import type { openSpeech } from './main-speech.ts'
import type { Measure } from './main-trace.ts'
import type { ServerPorts } from './server.ts'
import { defaultSessionLimits } from './session/limits.ts'
import type { SessionVocabularies } from './session/ports.ts'
import { openSession } from './session/session.ts'
import type { RunningSession } from './session/session.ts'
import type { Socket } from './socket.ts'
import type { StreamSettings } from './speech-stream/settings.ts'
import type { RunningRecordings } from './recording/recordings.ts'
import { openSpeechStream, streamLimits } from './speech-stream/stream.ts'

/** What one user may have kept in the broker by one node: 42 MB in the ten minutes that it stays. */
const keptBytesAtOnce = 4 * 1024 * 1024
const keptBytesPerSecond = 64 * 1024

interface SessionParts {
  readonly speech: ReturnType<typeof openSpeech>
  readonly pronunciations: Pick<Pronunciations, 'pronounceFor'>
  readonly kept: KeptSessions | undefined
  readonly recordings: Pick<RunningRecordings, 'of'> | undefined
  readonly vocabularies: { of(owner: Owner): SessionVocabularies }
  /** For one session. */
  readonly measureOf: () => Measure
  readonly log: Log
}

export function sessionOpener(
  config: Config,
  { speech, pronunciations, kept, recordings, vocabularies, measureOf, log }: SessionParts,
): ServerPorts['open'] {
  const openStream = streamOpener(config, { speech, pronunciations, log })
  return (admitted, socket, speaker) => {
    const { principal, dialect, withheld, kind, model, grant, resumed } = admitted
    if (admitted.speech) return openStream(principal.owner, admitted.speech, socket)
    return openSession({
      ...speechOfUser(principal.owner, speech, pronunciations),
      dialect,
      withheld,
      kind,
      model,
      ...(grant?.session !== undefined && { defaults: grant.session }),
      ...(grant?.locked && { locked: true }),
      clock: systemClock,
      newId: newSessionId,
      limits: {
        ...defaultSessionLimits,
        toolServerOrigins: config.mcpServers,
        sessionSeconds: Math.min(
          config.realtimeSessionSeconds,
          grant?.sessionSeconds ?? Infinity,
          resumed ? Math.max(1, resumed.kept.expiresAt - Math.floor(systemClock.nowMs() / 1000)) : Infinity,
        ),
      },
      resumed: resumed?.kept,
      keep: kept?.keeper(principal.owner, resumed),
      recordings: recordings?.of(principal.owner),
      vocabularies: vocabularies.of(principal.owner),
      speaker,
      send: (event) => socket.send(event),
      close: (code, reason) => socket.close(code, reason),
      measure: measureOf(),
      log,
    })
  }
}

function streamOpener(
  { realtimeSessionSeconds: sessionSeconds }: Config,
  { speech, pronunciations, log }: Pick<SessionParts, 'speech' | 'pronunciations' | 'log'>,
): (owner: Owner, settings: StreamSettings, socket: Socket) => RunningSession {
  return (owner, settings, socket) =>
    openSpeechStream({
      settings,
      voices: voicesOfUser(owner, speech.voices, pronunciations),
      socket,
      limits: { ...streamLimits, sessionSeconds },
      newId: newSessionId,
      log,
    })
}

/** How many sessions there are, here and of each user everywhere, and how many they had on each day. */
export async function openSessionCounts(client: BrokerClient, config: Config, log: Log) {
  const { realtimeMaxSessions: sessions, realtimeUserSessions: userSessions } = config
  const shared = await openSharedPlaces(client, userSessions, log)
  const days = await openSessionDays(client, log)
  return {
    places: new Places({ sessions, userSessions }, shared),
    days,
    async close(): Promise<void> {
      await Promise.all([shared.close(), days.close()])
    },
  }
}

/** Places of each user, on this node and all others. */
async function openSharedPlaces(client: BrokerClient, perUser: number, log: Log): Promise<SharedPlaces> {
  const shared = new SharedPlaces(
    {
      // in the bucket of sessions, whose entries vanish, and of which there are no backups
      places: await openRecords(client, buckets.sessions),
      pulses: await openRecords(client, buckets.sessions),
      clock: systemClock,
      timer: systemTimer,
      log,
    },
    { nodeId: newSessionId('node'), perUser },
  )
  await shared.start()
  return shared
}

/** What each user had of sessions, by day, for them to see. */
async function openSessionDays(client: BrokerClient, log: Log): Promise<SessionDays> {
  return new SessionDays({
    days: await openRecords(client, buckets.sessionDays),
    clock: systemClock,
    timer: systemTimer,
    log,
  })
}

/** What sessions are kept in and made of, besides speech. */
export async function openSessionStores(client: BrokerClient, config: Config, log: Log) {
  const kept = config.realtimeResume ? await openKept(client, log) : undefined
  const storage = startSessionStorage(config, client, log)
  const { recordings, vocabularies } = storage
  return {
    kept,
    recordings,
    vocabularies,
    pronunciations: await readPronunciations(client, log),
    /** When everything is stored that sessions left behind. */
    async close(): Promise<void> {
      await kept?.settled()
      await storage.close()
    },
  }
}

/** How users want words to be spoken, as they have told a gateway. */
async function readPronunciations(client: BrokerClient, log: Log): Promise<Pick<Pronunciations, 'pronounceFor'>> {
  const pronunciations = await openRecords<StoredPronunciations>(client, buckets.pronunciations)
  return openPronunciations({ pronunciations, timer: systemTimer, log })
}

/** Where sessions of this node are kept, for other nodes to go on with. */
async function openKept(client: BrokerClient, log: Log): Promise<KeptSessions> {
  return openKeptSessions({
    records: await openRecords(client, buckets.sessions),
    budget: openBuckets({ perSecond: keptBytesPerSecond, burst: keptBytesAtOnce }, systemClock),
    timer: systemTimer,
    clock: systemClock,
    newId: newSessionId,
    log,
  })
}

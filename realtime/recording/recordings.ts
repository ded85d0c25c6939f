import type { Owner } from '../../actors/ids.ts'
import type { Clock, Ids, Log, Timer } from '../../actors/ports.ts'
import type { SessionRecordings } from '../../actors/session-recording/ports.ts'
import type { RecorderInput, Recordings, SessionRecorder } from '../session/ports.ts'
import { RecordingWriter } from './recording-writer.ts'
import { Recorder } from './recorder.ts'

interface RecordingsPorts {
  /** Undefined while no storage is known that gateways read. */
  readonly storage: () => SessionRecordings | undefined
  readonly checkUrl: (url: string) => string | undefined
  readonly ids: Pick<Ids, 'nextFileId'>
  readonly newId: (prefix: string) => string
  readonly clock: Clock
  readonly timer: Timer
  readonly log: Log
}

/** What is recorded by this process. */
export interface RunningRecordings {
  of(owner: Owner): Recordings
  /** Resolves when everything is stored that sessions left behind. */
  settled(): Promise<void>
}

const noStorage =
  'No session can be recorded now: this server does not reach the storage that gateways read. Try again later, or ask who runs it.'

export function openRecordings(ports: RecordingsPorts, limits: { readonly secondsMax: number }): RunningRecordings {
  const ending = new Set<Promise<void>>()
  const watched = (recorder: SessionRecorder): SessionRecorder => ({
    ...recorder,
    finish(isEnded) {
      const finished = recorder.finish(isEnded)
      ending.add(finished)
      return finished.finally(() => ending.delete(finished))
    },
  })
  return {
    of: (owner) => ({
      unavailable: () => (ports.storage() ? undefined : noStorage),
      refusalOf: (url) => ports.checkUrl(url),
      announce: () => ({ fileId: ports.ids.nextFileId(), begunAtMs: ports.clock.nowMs() }),
      open: (input) => watched(openRecorder(ports, { owner, input, ...limits })),
    }),
    async settled() {
      while (ending.size > 0) await Promise.all(ending)
    },
  }
}

interface Opening {
  readonly owner: Owner
  readonly input: RecorderInput
  readonly secondsMax: number
}

function openRecorder(ports: RecordingsPorts, { owner, input, secondsMax }: Opening): SessionRecorder {
  const { sessionId, recording, callbackUrl } = input
  const { clock } = ports
  const storage = ports.storage()
  if (!storage) throw new Error('nothing is recorded without storage')
  const writer = new RecordingWriter(
    { ...ports, recordings: storage },
    {
      recording: { owner, ...recording, sessionId, ...(callbackUrl !== null && { callbackUrl }) },
      writer: ports.newId('writer'),
      full: () => input.stopped('storage'),
      hindered: (obstacle) => input.hindered(obstacle),
    },
  )
  const recorder = new Recorder(
    {
      ...ports,
      writer,
      turns: (isLast) => input.turns(isLast),
      hints: () => input.hints(),
      limitReached: () => input.stopped('limit'),
    },
    { startMs: Math.max(0, clock.nowMs() - recording.begunAtMs), secondsMax },
  )
  return {
    heard: (clip) => recorder.heard(clip),
    played: (clip) => recorder.played(clip),
    stopPlaying: (fromMs) => recorder.stopPlaying(fromMs),
    finish: (isEnded) => recorder.finish(isEnded),
  }
}

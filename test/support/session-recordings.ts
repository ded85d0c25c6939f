import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import { isFileId } from '../../actors/ids.ts'
import { openSessionRecordings } from '../../actors/session-recording/recordings.ts'
import { openBlobs } from '../../infra/blobs/open.ts'
import { newIds } from '../../infra/ids/new-ids.ts'
import { newSessionId } from '../../infra/ids/session-ids.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { systemTimer } from '../../infra/timing/timer.ts'
import { openRecordings } from '../../realtime/recording/recordings.ts'
import type { RunningRecordings } from '../../realtime/recording/recordings.ts'
import type { AudioClip } from '../../realtime/session/audio-clip.ts'
import type { RecorderInput, Recordings } from '../../realtime/session/ports.ts'
import { silentLog } from './silent-log.ts'

interface FakeRecorder extends RecorderInput {
  readonly heard: AudioClip[]
  readonly played: AudioClip[]
  /** From when on nobody heard the answers. */
  readonly silenced: number[]
  /** Whether nobody goes on with it; undefined while it is recorded. */
  isEnded: boolean | undefined
}

interface FakeRecordings extends Recordings {
  readonly opened: FakeRecorder[]
  /** In a sentence. */
  away: string | undefined
}

/** Remembers what it is told; one sound follows the other. */
export function someRecordings(): FakeRecordings {
  const opened: FakeRecorder[] = []
  return {
    opened,
    away: undefined,
    unavailable() {
      return this.away
    },
    refusalOf: (url) => (url.startsWith('https://') ? undefined : 'the address must begin with https://'),
    announce: () => ({ fileId: aFileId(opened.length), begunAtMs: 0 }),
    open(input) {
      const recorder: FakeRecorder = { ...input, heard: [], played: [], silenced: [], isEnded: undefined }
      opened.push(recorder)
      return {
        heard: (clip) => spanOf(recorder.heard, clip),
        played: (clip) => spanOf(recorder.played, clip),
        stopPlaying(fromMs = 0) {
          recorder.silenced.push(fromMs)
          return fromMs
        },
        async finish(isEnded) {
          recorder.isEnded = isEnded
        },
      }
    },
  }
}

function spanOf(before: AudioClip[], clip: AudioClip) {
  const startMs = before.reduce((sum, { pcm, rate }) => sum + (1_000 * pcm.length) / rate, 0)
  before.push({ ...clip, pcm: clip.pcm.slice() })
  return { startMs, endMs: startMs + (1_000 * clip.pcm.length) / clip.rate }
}

function aFileId(number: number) {
  const id = `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
  if (!isFileId(id)) throw new Error('made an id that is none')
  return id
}

/** Of real sessions, into the storage that a gateway has in its folder. */
export async function sessionRecordingsIn(t: ExecutionContext, dataDir: string): Promise<RunningRecordings> {
  const defaultFolder = join(dataDir, 'objects')
  const blobs = await openBlobs('disk:', { defaultFolder, log: silentLog })
  t.teardown(() => blobs.close())
  return openRecordings(
    {
      storage: () => openSessionRecordings(blobs),
      checkUrl: () => undefined,
      ids: newIds(systemClock),
      newId: newSessionId,
      clock: systemClock,
      timer: systemTimer,
      log: silentLog,
    },
    { secondsMax: 600 },
  )
}

import type { Log } from '../actors/ports.ts'
import { openSessionRecordings } from '../actors/session-recording/recordings.ts'
import type { SessionRecordings } from '../actors/session-recording/ports.ts'
import type { ObjectStorage } from '../actors/upload/ports.ts'
import { readMark } from '../infra/blobs/open.ts'
import type { Config } from '../infra/config/config.ts'
import { openStorage, storageOptions } from '../infra/config/open-storage.ts'
import { urlPolicy } from '../infra/config/remote-limits.ts'
import { newIds } from '../infra/ids/new-ids.ts'
import { newSessionId } from '../infra/ids/session-ids.ts'
import { recallStore } from '../infra/nats/records/known-stores.ts'
import type { BrokerClient } from '../infra/nats/records/stores.ts'
import { judgeUrl } from '../infra/remote/url.ts'
import { systemClock } from '../infra/timing/clock.ts'
import { systemTimer } from '../infra/timing/timer.ts'
import { openRecordings } from './recording/recordings.ts'
import type { RunningRecordings } from './recording/recordings.ts'

interface KeptRecordings extends Pick<RunningRecordings, 'of'> {
  close(): Promise<void>
}

const lookMs = 5_000

/** What makes files of sessions; nothing where nobody may ask for it. */
export function startRecordings(config: Config, client: BrokerClient, log: Log): KeptRecordings | undefined {
  if (!config.realtimeKeep) return undefined
  const finder = findStorage(config, client, log)
  const policy = urlPolicy(config)
  const recordings = openRecordings(
    {
      storage: () => finder.found?.recordings,
      checkUrl: (url) => judgeUrl(url, policy).refusal,
      ids: newIds(systemClock),
      newId: newSessionId,
      clock: systemClock,
      timer: systemTimer,
      log,
    },
    { secondsMax: config.realtimeKeepSeconds },
  )
  return {
    of: (owner) => recordings.of(owner),
    async close() {
      await recordings.settled()
      await finder.close()
    },
  }
}

interface FoundStorage {
  readonly blobs: ObjectStorage
  readonly recordings: SessionRecordings
}

/**
 * The storage that gateways and workers have, and no other: what is stored in a folder of this machine alone would never be found. They write
 * down in the broker which store they use; what says otherwise is not it.
 */
function findStorage(config: Config, client: BrokerClient, log: Log) {
  let found: FoundStorage | undefined
  let isClosed = false
  let stopWaiting = (): void => undefined
  const look = async (): Promise<void> => {
    try {
      const { place, name } = await readMark(config.storageUrl, storageOptions(config, log))
      if (name !== undefined && name === (await recallStore(client, place))) found = await open(config, name, log)
    } catch (error) {
      log.debug('storage for recordings not found', { error })
    }
    if (!found && !isClosed) stopWaiting = systemTimer.after(lookMs, lookAgain)
  }
  let looking = look()
  const lookAgain = (): void => {
    looking = look()
  }
  return {
    get found() {
      return found
    },
    async close() {
      isClosed = true
      stopWaiting()
      await looking
      await found?.blobs.close()
    },
  }
}

async function open(config: Config, name: string, log: Log): Promise<FoundStorage> {
  const known = { recall: () => Promise.resolve(name), remember: () => Promise.resolve(name) }
  const blobs = await openStorage(config, { log, knownAt: () => known })
  return { blobs, recordings: openSessionRecordings(blobs) }
}

import { isVocabularyId } from '../actors/ids.ts'
import type { Owner } from '../actors/ids.ts'
import type { Log } from '../actors/ports.ts'
import { openSessionRecordings } from '../actors/session-recording/recordings.ts'
import type { SessionRecordings } from '../actors/session-recording/ports.ts'
import type { ObjectStorage } from '../actors/upload/ports.ts'
import type { Vocabularies } from '../actors/vocabulary/ports.ts'
import { openVocabularies } from '../actors/vocabulary/vocabularies.ts'
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
import type { SessionVocabularies } from './session/ports.ts'

const lookMs = 5_000
const noStorage = 'storage is not found yet'

/** What sessions have of the storage of the gateways: where they are recorded to, and the words of their owners. */
export function startSessionStorage(config: Config, client: BrokerClient, log: Log) {
  const finder = findStorage(config, client, log)
  const recordings = config.realtimeKeep ? recordingsIn(finder, config, log) : undefined
  return {
    recordings,
    vocabularies: {
      of: (owner: Owner): SessionVocabularies => ({
        async read(id) {
          if (!finder.found) throw new Error(noStorage)
          return isVocabularyId(id) ? finder.found.vocabularies.read({ owner, id }) : undefined
        },
      }),
    },
    async close(): Promise<void> {
      await recordings?.settled()
      await finder.close()
    },
  }
}

function recordingsIn(finder: { readonly found: FoundStorage | undefined }, config: Config, log: Log) {
  const policy = urlPolicy(config)
  return openRecordings(
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
}

interface FoundStorage {
  readonly blobs: ObjectStorage
  readonly recordings: SessionRecordings
  readonly vocabularies: Vocabularies
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
  return {
    blobs,
    recordings: openSessionRecordings(blobs),
    vocabularies: openVocabularies({ blobs, clock: systemClock, ...newIds(systemClock) }),
  }
}

import { runKey } from '../ids.ts'
import type { Clock, OrderedRecord, Records, Revision } from '../ports.ts'
import type { RunState } from '../run/state.ts'
import type { Lease } from '../sweep/lease.ts'
import type { UploadedFile } from '../upload/state.ts'
import { expireBatch, expireChunkAudio, expireOwn, expireResults, expireUpload } from './expire.ts'
import type { ExpirePorts } from './expire.ts'
import { expiryKey, msPerDay } from './state.ts'
import type { Expiry, RetainedKind, Retention, RetentionPlace } from './state.ts'
import { failuresMax, walkOlder } from './walk.ts'
import type { WalkPace } from './walk.ts'

export interface RetentionPorts extends ExpirePorts {
  readonly expiries: Records<Expiry>
  readonly retentionPlaces: Records<RetentionPlace>
  readonly clock: Clock
  readonly lease: Lease
  readonly pause: (ms: number) => Promise<void>
}

interface Retaining {
  /** Ends what was kept for long enough, unless another does. Rejects when some of it could not be, after all else was. */
  apply(): Promise<void>
}

const looksPerSecond = 200
/** What the notes of runs begin with whose words are being removed. */
const ending = 'ending.'

/**
 * What is due is found without listing anything: a bucket has its records in the order in which they were last written, and only those
 * are looked at that are old enough. Ages are the broker's, for whoever looks (I11). Harmless when two do it at once.
 */
export function createRetaining(ports: RetentionPorts, retention: Retention): Retaining {
  const pace = paceOf(ports)
  const places = new Map<RetainedKind | 'own', Revision>()

  /** Records that go: those that have to stay for now are looked at again in the next round. */
  async function walkGoing<Value>(
    name: RetainedKind | 'own',
    walking: { records: Records<Value>; olderThanMs: number },
    look: (stored: OrderedRecord<Value>) => Promise<void>,
  ): Promise<readonly unknown[]> {
    const { after, isAll, failures } = await walkOlder({ ...walking, after: places.get(name) ?? 0 }, pace, look)
    places.set(name, isAll ? 0 : after)
    return failures
  }

  return {
    async apply() {
      if (!(await ports.lease.hold())) return
      const { audio, results, records } = retention
      const expireFile = async ({ value }: OrderedRecord<UploadedFile>): Promise<void> => {
        await expireUpload(ports, value)
      }
      const failures = [
        ...(audio > 0 ? await walkGoing('audio', { records: ports.files, olderThanMs: audio }, expireFile) : []),
        ...(audio > 0 ? await walkStaying(ports, pace, { kind: 'audio', olderThanMs: audio }) : []),
        ...(await endNoted(ports)),
        ...(results > 0 ? await walkStaying(ports, pace, { kind: 'results', olderThanMs: results }) : []),
        ...(records > 0
          ? await walkGoing('records', { records: ports.batches, olderThanMs: records }, ({ value }) =>
              expireBatch(ports, value),
            )
          : []),
        ...(await walkGoing('own', { records: ports.expiries, olderThanMs: 0 }, (stored) => lookAtOwn(ports, stored))),
      ]
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** Runs stay when their sound or their words go: how far somebody came is written down. */
async function walkStaying(
  ports: RetentionPorts,
  pace: WalkPace,
  { kind, olderThanMs }: { kind: 'audio' | 'results'; olderThanMs: number },
): Promise<readonly unknown[]> {
  const key = `runs.${kind}`
  const stored = await ports.retentionPlaces.read(key)
  const before = stored?.value.revision ?? 0
  const expire = kind === 'audio' ? expireChunkAudio : expireNoted
  const walking = { records: ports.runs, olderThanMs, after: before }
  const { after, failures } = await walkOlder(walking, pace, ({ value }) => expire(ports, value))
  if (after === before) return failures
  if (stored) await ports.retentionPlaces.replace(key, { revision: after }, stored.revision)
  else await ports.retentionPlaces.create(key, { revision: after })
  return failures
}

/**
 * Its record is the newest of all once it says so, and would be looked at again only after as long as its words were kept. So it is noted before: by that
 * others go on where somebody died, or storage was away.
 */
async function expireNoted(ports: RetentionPorts, run: RunState | undefined): Promise<void> {
  if (run?.progress.phase !== 'finished') return
  const key = `${ending}${runKey(run)}`
  await ports.retentionPlaces.create(key, { revision: 0 })
  await expireResults(ports, run)
  await ports.retentionPlaces.erase(key)
}

/** Resolves with what went wrong, of those that still cannot be ended. */
async function endNoted({ retentionPlaces, ...ports }: RetentionPorts): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  for (const key of (await retentionPlaces.keys()).filter((one) => one.startsWith(ending))) {
    try {
      await expireResults(ports, (await ports.runs.read(key.slice(ending.length)))?.value)
      await retentionPlaces.erase(key)
    } catch (error) {
      if (failures.push(error) >= failuresMax) break
    }
  }
  return failures
}

async function lookAtOwn(ports: RetentionPorts, stored: OrderedRecord<Expiry>): Promise<void> {
  const { value } = stored
  if (!value || (await ports.expiries.ageMs(stored)) <= value.days * msPerDay) return
  if (await expireOwn(ports, value)) await ports.expiries.erase(expiryKey(value))
}

function paceOf({ clock, lease, pause }: RetentionPorts): WalkPace {
  return {
    elapsedMs: () => clock.elapsedMs(),
    async rest(looked, beganMs) {
      const restMs = (looked / looksPerSecond) * 1000 - (clock.elapsedMs() - beganMs)
      if (restMs > 0) await pause(restMs)
      return lease.hold()
    },
  }
}

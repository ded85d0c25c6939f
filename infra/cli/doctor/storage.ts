import { randomBytes, randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'

import type { Blobs, Log } from '../../../actors/ports.ts'
import { readMark } from '../../blobs/open.ts'
import { openTrialStore, trialName } from '../../blobs/trial.ts'
import type { TrialStore } from '../../blobs/trial.ts'
import type { Config } from '../../config/config.ts'
import { storageOptions } from '../../config/open-storage.ts'
import { recallStore } from '../../nats/records/known-stores.ts'
import type { BrokerClient } from '../../nats/records/stores.ts'
import { errorInWords } from '../error-in-words.ts'
import { broken, doubtful, healthy } from './diagnosis.ts'
import type { Examination, Diagnosis } from './diagnosis.ts'

const promises = 'storage.promises'

/** Whether what STORAGE_URL names keeps the promises that everything else rests on. In a place of its own, which goes again. */
export function lookAtStorage(config: Config, log: Log): Examination {
  return {
    about: 'storage',
    async look() {
      try {
        const trial = await openTrialStore(config.storageUrl, storageOptions(config, log))
        return [await tried(trial.storage), ...(await cleared(trial))]
      } catch (error) {
        return [broken(promises, errorInWords(error), storageAdvice)]
      }
    },
  }
}

async function tried(storage: Blobs): Promise<Diagnosis> {
  try {
    const complaint = await brokenPromise(storage)
    if (complaint === undefined)
      return healthy(promises, 'It writes, writes once only, replaces, lists, reads parts and removes as it should.')
    return broken(
      promises,
      complaint,
      'Use another store, or another version of it: results could be lost or mixed up.',
    )
  } catch (error) {
    return broken(promises, errorInWords(error), storageAdvice)
  }
}

async function cleared({ storage, remove }: TrialStore): Promise<Diagnosis[]> {
  try {
    await storage.removeAll(trialPrefix)
    await remove()
    return []
  } catch (error) {
    const reason = `What was tried could not be removed: ${errorInWords(error)}`
    return [doubtful('storage.trial', reason, `Remove what begins with ${trialName} there.`)]
  }
}

const storageAdvice =
  'Check STORAGE_URL, its keys and their rights (get, put, list, delete), or the rights of its folder.'
const trialPrefix = 'trial/'

/** What it does that it should not, as a sentence. */
export async function brokenPromise(storage: Blobs): Promise<string | undefined> {
  const key = `${trialPrefix}${randomUUID()}`
  const [first, second] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const put = (content: string, ifAbsent: boolean) => storage.put(key, { bytes: Buffer.from(content) }, { ifAbsent })
  const read = async (range?: { start: number; end: number }) => text(await storage.open(key, range))
  const listed = async (): Promise<string[]> => {
    const keys: string[] = []
    for await (const object of storage.list(trialPrefix)) keys.push(object.key)
    return keys
  }
  if ((await put(first, true)) !== 'stored') return 'An object that was not there could not be made.'
  if ((await read()) !== first) return 'What was written is not what is read.'
  if (!(await listed()).includes(key)) return 'An object that was just written is not listed.'
  if ((await put(second, true)) !== 'exists' || (await read()) !== first)
    return 'A conditional write replaced an object that was there: the first result would not stay.'
  await put(second, false)
  if ((await read()) !== second) return 'An object that was replaced is read as it was before.'
  if ((await read({ start: 1, end: 3 })) !== second.slice(1, 3))
    return 'A range of an object is not what was asked for.'
  await storage.remove(key)
  if (await storage.stat(key)) return 'An object that was removed is still there.'
  return (await listed()).includes(key) ? 'An object that was removed is still listed.' : undefined
}

/** Whether the store that is there is the one that the broker knows. */
export async function lookAtMark(config: Config, client: BrokerClient, log: Log): Promise<Diagnosis> {
  const { place, name } = await readMark(config.storageUrl, storageOptions(config, log))
  return judgeMark({ known: await recallStore(client, place), found: name })
}

export function judgeMark({ known, found }: { known: string | undefined; found: string | undefined }): Diagnosis {
  const check = 'storage.mark'
  if (known === undefined)
    return doubtful(
      check,
      'The broker knows of no store in this place yet.',
      'Nothing, before the first start: it makes one. Later: are STORAGE_URL, DATA_DIR and NATS_URL those of the services?',
    )
  if (known === found) return healthy(check, 'The store is the one that the broker knows.')
  const reason =
    found === undefined ? 'The store has no mark (vaak-store)' : 'The store has the mark of another (vaak-store)'
  return broken(
    check,
    `${reason}: it is not the one that the broker knows.`,
    'Mount its disk, or correct STORAGE_URL; after a restore, copy the store whole, mark included.',
  )
}

import type { Pronounce } from '../conversation/ports.ts'
import type { Owner } from '../ids.ts'
import type { Log, Records, Timer } from '../ports.ts'
import type { Pronunciations } from './ports.ts'
import { spellingOf } from './state.ts'
import type { Pronunciation, StoredPronunciations } from './state.ts'

interface PronunciationPorts {
  readonly pronunciations: Pick<Records<StoredPronunciations>, 'read' | 'create' | 'replace' | 'erase' | 'backOff'>
  readonly timer: Timer
  readonly log: Log
}

/** Somebody waits to hear the answer: a word that is said as it is written is better than silence. */
const readMs = 2_000

/** Nothing is kept in memory: what was put is heard from the next answer on, whichever server gives it. */
export function openPronunciations(ports: PronunciationPorts): Pronunciations {
  const { pronunciations: records } = ports

  async function listOf(owner: Owner): Promise<readonly Pronunciation[]> {
    return (await records.read(owner))?.value.entries ?? []
  }

  return {
    listOf,
    async replaceAll(owner, entries) {
      for (let conflicts = 0; !(await written(ports, owner, entries));) await records.backOff((conflicts += 1))
    },
    async pronounceFor(owner) {
      try {
        const entries = await inTime(ports.timer, listOf(owner))
        return entries.length > 0 ? pronounceBy(entries) : undefined
      } catch (error) {
        ports.log.warn('spoken without the pronunciations of its user', { error })
        return undefined
      }
    },
  }
}

/** False when somebody else wrote meanwhile. */
async function written(
  { pronunciations: records }: PronunciationPorts,
  owner: Owner,
  entries: readonly Pronunciation[],
): Promise<boolean> {
  const stored = await records.read(owner)
  if (entries.length === 0) {
    if (stored) await records.erase(owner, stored.revision)
    return stored === undefined
  }
  const value = { entries }
  const outcome = stored ? await records.replace(owner, value, stored.revision) : await records.create(owner, value)
  return typeof outcome === 'number'
}

function inTime<Result>(timer: Timer, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = timer.after(readMs, () => reject(new Error(`nothing was read in ${readMs} ms`)))
    work.then(resolve, reject).finally(giveUp)
  })
}

/** As it is written in the list, or in small letters. */
export function pronounceBy(entries: readonly Pronunciation[]): Pronounce {
  const bySpelling = new Map(entries.map(({ word, spoken }) => [spellingOf(word), spoken.normalize('NFKC')]))
  return (word) => {
    const text = word.normalize('NFKC')
    return bySpelling.get(text) ?? bySpelling.get(text.toLowerCase())
  }
}

import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sentenceOf } from '../../actors/failure.ts'
import { codeOf } from '../process/error-code.ts'
import { printable } from '../telemetry/printable.ts'
import { withFileBytes } from '../speech/audio/header/file-bytes.ts'
import { sniff } from '../speech/audio/header/sniff.ts'
import type { Transcribed } from './transcribe-files.ts'

/** A folder in which every recording gets its transcript beside it, once. */
export interface WatchedFolder {
  /**
   * Sees what is new or has changed, and begins with what has stayed as it is since the look before. Rejects when the folder cannot be
   * read, and with FileTrouble when one of its files could not be read or written: the others go on, and where another time may go well, it is tried again.
   */
  look(): Promise<void>
  /** Whether nothing waits and nothing is under way. */
  isIdle(): boolean
  readonly counts: { readonly written: number; readonly failed: number }
}

interface WatchOptions {
  /** Says by itself what is wrong. */
  transcribe(path: string): Promise<Transcribed>
  /** What a result's name ends in, after the name of its recording. */
  readonly ending: string
  readonly atOnce: number
  readonly isRecursive: boolean
  /** Whether what another time may go well is tried again. */
  readonly triesAgain: boolean
  written(path: string): void
}

/** Of one recording: nobody else's has to wait for it. */
export class FileTrouble extends Error {
  override readonly name = 'FileTrouble'
}

/** What tells one state of a file from another. */
interface Sight {
  readonly sizeBytes: number
  readonly changedMs: number
}

interface Known extends Sight {
  phase: 'arriving' | 'ready' | 'under way' | 'over'
}

/** In the folder itself: a result is moved to its place, and moving is only whole within one disk. */
export const watchersFolder = '.vaak'
/** Times of files are finer than a number of seconds can be. */
const roundingMs = 1
/** Beside a recording that cannot be transcribed: why. Who removes it has it tried again. */
const failureEnding = 'failed.txt'

/** One process at a time; what another left half written there is removed. */
export async function openWatchedFolder(folder: string, options: WatchOptions): Promise<WatchedFolder> {
  const drafts = join(folder, watchersFolder, 'drafts')
  await rm(drafts, { recursive: true, force: true })
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  return new Watching({ folder, drafts, options })
}

interface Watched {
  readonly folder: string
  readonly drafts: string
  readonly options: WatchOptions
}

class Watching implements WatchedFolder {
  readonly counts = { written: 0, failed: 0 }
  readonly #watched: Watched
  readonly #known = new Map<string, Known>()
  #underWay = 0
  #trouble: FileTrouble | undefined
  /** Files whose trouble was told: it is the same at every look. */
  readonly #told = new Set<string>()

  constructor(watched: Watched) {
    this.#watched = watched
  }

  isIdle(): boolean {
    return this.#underWay === 0 && [...this.#known.values()].every(({ phase }) => phase === 'over')
  }

  async look(): Promise<void> {
    const { folder, options } = this.#watched
    const found = new Set(await filesIn(folder, options))
    for (const path of this.#known.keys()) if (!found.has(path)) this.#known.delete(path)
    for (const path of found) await this.#see(path).catch((error: unknown) => this.#fail(path, error))
    this.#begin()
    const trouble = this.#trouble
    this.#trouble = undefined
    if (trouble) throw trouble
  }

  /** It is looked at again, unless everything is done once: then it is over, and the others are not held up. */
  #fail(path: string, error: unknown): void {
    if (!this.#told.has(path)) this.#trouble ??= new FileTrouble(printable(path), { cause: error })
    this.#told.add(path)
    const one = this.#known.get(path)
    if (this.#watched.options.triesAgain || !one) return void this.#known.delete(path)
    one.phase = 'over'
    this.counts.failed += 1
  }

  async #see(path: string): Promise<void> {
    const sight = await sightOf(path)
    const before = this.#known.get(path)
    if (!sight || before?.phase === 'under way') return
    if (!before || !isSame(before, sight)) return void this.#known.set(path, { ...sight, phase: 'arriving' })
    if (before.phase === 'arriving') before.phase = (await this.#isWanted(path, sight)) ? 'ready' : 'over'
  }

  /** What is no recording, or has its result or the reason why not, is not. */
  async #isWanted(path: string, { changedMs }: Sight): Promise<boolean> {
    for (const ending of [this.#watched.options.ending, failureEnding]) {
      const beside = await sightOf(`${path}.${ending}`)
      if (beside && beside.changedMs >= changedMs) return false
    }
    return withFileBytes(path, async (bytes) => 'format' in (await sniff(bytes)))
  }

  #begin(): void {
    for (const [path, one] of this.#known) {
      if (this.#underWay >= this.#watched.options.atOnce) return
      if (one.phase === 'ready') void this.#run(path, one)
    }
  }

  async #run(path: string, one: Known): Promise<void> {
    one.phase = 'under way'
    this.#underWay += 1
    try {
      await this.#transcribe(path, one)
    } catch (error) {
      this.#fail(path, error)
    }
    this.#underWay -= 1
    this.#begin()
  }

  async #transcribe(path: string, one: Known): Promise<void> {
    const { options } = this.#watched
    const transcribed = await options.transcribe(path)
    const now = await sightOf(path)
    // it was written to meanwhile, or moved away: that is another recording, or none
    if (!now || !isSame(one, now)) return void this.#known.delete(path)
    if (transcribed.text !== undefined) {
      await this.#write(`${path}.${options.ending}`, transcribed.text, one)
      await rm(`${path}.${failureEnding}`, { force: true })
      this.counts.written += 1
      options.written(path)
    } else {
      const { failure } = transcribed
      if (failure.kind !== 'terminal' && options.triesAgain) return void this.#known.delete(path)
      this.counts.failed += 1
      if (failure.kind === 'terminal') await this.#write(`${path}.${failureEnding}`, `${sentenceOf(failure)}\n`, one)
    }
    one.phase = 'over'
    this.#told.delete(path)
  }

  /** Appears whole, and is never older than its recording, whatever clock that one is from. */
  async #write(path: string, text: string, { changedMs }: Sight): Promise<void> {
    const draft = join(this.#watched.drafts, randomUUID())
    try {
      await writeFile(draft, text, { flush: true })
      const seconds = (Math.max(Date.now(), changedMs) + roundingMs) / 1000
      await utimes(draft, seconds, seconds)
      await rename(draft, path)
    } catch (error) {
      // it is tried again and again, and each time would leave one
      await rm(draft, { force: true })
      throw error
    }
  }
}

/** Hidden ones and results aside. */
async function filesIn(folder: string, options: WatchOptions): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files: string[] = []
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isFile() && !isResult(entry.name, options)) files.push(path)
    if (entry.isDirectory() && options.isRecursive) files.push(...(await filesIn(path, options)))
  }
  return files
}

function isResult(name: string, { ending }: WatchOptions): boolean {
  return name.endsWith(`.${ending}`) || name.endsWith(`.${failureEnding}`)
}

/** Undefined when it is gone. */
async function sightOf(path: string): Promise<Sight | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    return { sizeBytes: size, changedMs: mtimeMs }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function isSame(one: Sight, other: Sight): boolean {
  return one.sizeBytes === other.sizeBytes && one.changedMs === other.changedMs
}

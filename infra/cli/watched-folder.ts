import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { retryDelayMs } from '../../actors/attempt/retry.ts'
import { sentenceOf } from '../../actors/failure.ts'
import type { Clock } from '../../actors/ports.ts'
import { printable } from '../telemetry/printable.ts'
import { withFileBytes } from '../speech/audio/header/file-bytes.ts'
import { sniff } from '../speech/audio/header/sniff.ts'
import { errorInWords } from './error-in-words.ts'
import { isSame, sightOf } from './file-sight.ts'
import type { Sight } from './file-sight.ts'
import { openResultDrafts } from './result-drafts.ts'
import type { ResultDrafts } from './result-drafts.ts'
import type { Transcribed } from './transcribe-files.ts'
import { whyUnwritten } from './why-unwritten.ts'

/** A folder in which every recording gets its transcript beside it, once. */
export interface WatchedFolder {
  /**
   * Sees what is new or has changed, and begins with what has stayed as it is since the look before. Rejects when the folder cannot be
   * read; trouble with one of its files holds up no other, and where another time may go well, it is tried again after longer and longer waits.
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
  readonly clock: Clock
  written(path: string): void
  /** What is wrong with one file, a sentence; not the same again. */
  say(sentence: string): void
}

/** What came of a recording. Without its text when that lies in its draft. */
interface Result {
  readonly ending: string
  readonly text?: string
}

interface Known extends Sight {
  phase: 'arriving' | 'ready' | 'under way' | 'over'
  /** Made, and not yet where it belongs. */
  result?: Result
  tries: number
  /** Not before. */
  dueMs: number
}

/** In the folder itself, for what is ours. */
export const watchersFolder = '.vaak'
/** Beside a recording that cannot be transcribed: why. Who removes it has it tried again. */
const failureEnding = 'failed.txt'
const waits = { firstMs: 2_000, lastMs: 5 * 60_000, jitter: 1 }
/** Of texts that have no place on the disk either: while there are more, no other recording is begun, as its text might be lost. */
const heldCharactersMax = 64 * 1024 * 1024

export async function openWatchedFolder(folder: string, options: WatchOptions): Promise<WatchedFolder> {
  return new Watching({ folder, drafts: await openResultDrafts(folder, join(folder, watchersFolder)), options })
}

interface Watched {
  readonly folder: string
  readonly drafts: ResultDrafts
  readonly options: WatchOptions
}

class Watching implements WatchedFolder {
  readonly counts = { written: 0, failed: 0 }
  readonly #watched: Watched
  readonly #known = new Map<string, Known>()
  #underWay = 0
  /** What was said of a file: it is the same at every look. */
  readonly #told = new Map<string, string>()

  constructor(watched: Watched) {
    this.#watched = watched
  }

  isIdle(): boolean {
    return this.#underWay === 0 && [...this.#known.values()].every(({ phase }) => phase === 'over')
  }

  async look(): Promise<void> {
    const { folder, options, drafts } = this.#watched
    const found = new Set(await filesIn(folder, options))
    for (const seen of [this.#known, this.#told])
      for (const path of seen.keys()) if (!found.has(path)) seen.delete(path)
    for (const path of found) await this.#see(path).catch((error: unknown) => this.#unread(path, error))
    const sights = new Map([...found].map((path) => [path, this.#known.get(path)]))
    await drafts.keepOnly(sights).catch(() => undefined) // they are looked through again at the next look
    this.#begin()
  }

  async #see(path: string): Promise<void> {
    const sight = await sightOf(path)
    const before = this.#known.get(path)
    if (!sight || before?.phase === 'under way') return
    if (!before || !isSame(before, sight)) return void this.#known.set(path, arriving(sight))
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
    const nowMs = this.#watched.options.clock.elapsedMs()
    const mayTranscribe = this.#heldCharacters() < heldCharactersMax
    for (const [path, one] of this.#known) {
      if (this.#underWay >= this.#watched.options.atOnce) return
      if (one.phase === 'ready' && one.dueMs <= nowMs && (one.result || mayTranscribe)) void this.#run(path, one)
    }
  }

  #heldCharacters(): number {
    return [...this.#known.values()].reduce((sum, { result }) => sum + (result?.text?.length ?? 0), 0)
  }

  async #run(path: string, one: Known): Promise<void> {
    one.phase = 'under way'
    this.#underWay += 1
    try {
      const result = one.result ?? (await this.#draftOf(path, one)) ?? (await this.#transcribe(path, one))
      if (result) await this.#write(path, one, result)
    } catch (error) {
      this.#again(path, one, `${printable(path)}: ${errorInWords(error)}`)
    }
    this.#underWay -= 1
    this.#begin()
  }

  /** Of who was here before, and could not put it in its place. */
  async #draftOf(path: string, sight: Sight): Promise<Result | undefined> {
    for (const ending of [this.#watched.options.ending, failureEnding])
      if (await this.#watched.drafts.has({ path, sight, ending })) return { ending }
    return undefined
  }

  /** Undefined when nothing came of it; then it waits, or is over. */
  async #transcribe(path: string, one: Known): Promise<Result | undefined> {
    const { options } = this.#watched
    const transcribed = await options.transcribe(path)
    const now = await sightOf(path)
    // it was moved away meanwhile, or written to: that is none, or another recording, for which there is something to do
    if (!now) return void this.#known.delete(path)
    if (!isSame(one, now)) return void this.#known.set(path, arriving(now))
    if (transcribed.text !== undefined) return { ending: options.ending, text: transcribed.text }
    const { failure } = transcribed
    if (failure.kind === 'terminal') return { ending: failureEnding, text: `${sentenceOf(failure)}\n` }
    this.#again(path, one)
    return undefined
  }

  /** What is made is not made again: only written, until that goes well. */
  async #write(path: string, one: Known, result: Result): Promise<void> {
    const { drafts, options } = this.#watched
    const { ending, text } = result
    one.result = result
    try {
      if (text !== undefined) await drafts.write({ path, sight: one, ending }, text, options.clock.nowMs())
      one.result = { ending }
      await drafts.place({ path, sight: one, ending })
    } catch (error) {
      return this.#again(path, one, this.#unwritten(path, one.result, error))
    }
    delete one.result
    one.phase = 'over'
    this.#told.delete(path)
    if (ending === failureEnding) return void (this.counts.failed += 1)
    this.counts.written += 1
    options.written(path)
    // the reason of an earlier time; it is older than the result, and does no harm
    await rm(`${path}.${failureEnding}`, { force: true }).catch(() => undefined)
  }

  #unwritten(path: string, { ending, text }: Result, error: unknown): string {
    const what = `${printable(path)}.${ending} cannot be written: ${whyUnwritten(error)}.`
    if (this.#watched.options.triesAgain)
      return `${what} It is kept, and tried again at least every ${waits.lastMs / 60_000} minutes.`
    return text === undefined
      ? `${what} It is kept in ${watchersFolder}: when you have mended that, start again, and it is only moved.`
      : `${what} When you have mended that, start again.`
  }

  /** After a while, unless everything is done once: then it is over, and the others are not held up. */
  #again(path: string, one: Known, sentence?: string): void {
    const { options } = this.#watched
    if (this.#known.get(path) !== one) return
    if (sentence !== undefined) this.#say(path, sentence)
    one.phase = options.triesAgain ? 'ready' : 'over'
    one.tries += 1
    one.dueMs = options.clock.elapsedMs() + retryDelayMs(one.tries, waits)
    if (!options.triesAgain) this.counts.failed += 1
  }

  /** It is looked at anew, unless everything is done once. */
  #unread(path: string, error: unknown): void {
    const one = this.#known.get(path)
    if (one?.phase === 'under way') return
    this.#say(path, `${printable(path)} cannot be taken up: ${errorInWords(error)}`)
    if (one && !this.#watched.options.triesAgain) {
      one.phase = 'over'
      this.counts.failed += 1
    } else if (!one?.result) this.#known.delete(path)
  }

  #say(path: string, sentence: string): void {
    if (this.#told.get(path) === sentence) return
    this.#told.set(path, sentence)
    this.#watched.options.say(sentence)
  }
}

function arriving(sight: Sight): Known {
  return { ...sight, phase: 'arriving', tries: 0, dueMs: 0 }
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

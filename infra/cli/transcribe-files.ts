import { setMaxListeners } from 'node:events'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename } from 'node:path'

import { FailureError, sentenceOf } from '../../actors/failure.ts'
import type { Failure } from '../../actors/failure.ts'
import type { SpeechEngine, TranscribeOptions } from '../speech/engine/engine.ts'
import { render } from '../speech/formats/render.ts'
import type { RenderedFormat } from '../speech/formats/render.ts'
import { gapSentences } from '../speech/transcript/gaps.ts'
import { printable } from '../telemetry/printable.ts'
import type { StartProgress } from '../telemetry/progress.ts'

/** Where a person looks. */
export interface Screen {
  readonly startProgress: StartProgress
  /** Results, whole lines. */
  result(text: string): void
  /** Anything else, a sentence. */
  say(sentence: string): void
}

interface FilesOptions {
  /** Asked for once, when there is a file to transcribe; closed at the end. */
  openEngine(): Promise<SpeechEngine>
  readonly screen: Screen
  readonly format: RenderedFormat
  readonly transcribe: TranscribeOptions
  /** How many files are on their way together. */
  readonly atOnce: number
}

/**
 * Results come in the order of the paths, each as soon as those before it are out; what is wrong with a file is said at
 * once, and the others go on. Resolves with the number of files that were not transcribed.
 */
export async function transcribeFiles(paths: readonly string[], options: FilesOptions): Promise<number> {
  const readable = await readableOf(paths, options.screen)
  if (readable.length === 0) return paths.length
  const engine = await options.openEngine()
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal) // every file on its way listens: many at once are no leak
  const transcribe = { ...options.transcribe, signal: stopping.signal }
  const printInOrder = inOrder((text) => options.screen.result(text))
  let begun = 0
  let done = 0
  async function workThrough(): Promise<void> {
    while (begun < readable.length && !stopping.signal.aborted) {
      const index = begun++
      const path = readable[index]!
      const { text } = await transcribeFile(path, engine, { ...options, transcribe })
      if (text !== undefined) done += 1
      const title = paths.length > 1 && options.format === 'text' ? `==> ${printable(path)} <==\n` : ''
      printInOrder(index, text === undefined ? '' : title + text)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(options.atOnce, readable.length) }, workThrough))
  } finally {
    stopping.abort()
    await engine.close()
  }
  return paths.length - done
}

/** A mistyped name is told before anybody waits for models. */
async function readableOf(paths: readonly string[], screen: Screen): Promise<string[]> {
  const reasons = await Promise.all(paths.map(whyUnreadable))
  for (const [index, reason] of reasons.entries()) if (reason !== undefined) screen.say(about(paths[index]!, reason))
  return paths.filter((_, index) => reasons[index] === undefined)
}

export type Transcribed = { readonly text: string } | { readonly text?: undefined; readonly failure: Failure }

/** Why it failed has been said then. */
export async function transcribeFile(
  path: string,
  engine: Pick<SpeechEngine, 'transcribe'>,
  options: Pick<FilesOptions, 'screen' | 'format' | 'transcribe'>,
): Promise<Transcribed> {
  const { screen } = options
  const progress = screen.startProgress(basename(path))
  try {
    const result = await engine.transcribe(path, {
      ...options.transcribe,
      onProgress: (done, input) => progress.update(input === null || input === 0 ? 0 : done / input),
    })
    progress.done()
    const { segments, warnings, gaps = [] } = result
    for (const sentence of [...warnings, ...gapSentences(gaps)]) screen.say(about(path, sentence))
    if (segments.length === 0 && gaps.length === 0) screen.say(about(path, 'There is no speech in it.'))
    return { text: render(result, options.format, basename(path)) }
  } catch (error) {
    progress.fail()
    if (!(error instanceof FailureError)) throw error
    screen.say(about(path, sentenceOf(error.failure)))
    return { failure: error.failure }
  }
}

function about(path: string, sentence: string): string {
  return `${printable(path)}: ${sentence}`
}

/** Holds back what is ready before its turn. */
function inOrder(print: (text: string) => void): (index: number, text: string) => void {
  const ready = new Map<number, string>()
  let next = 0
  return (index, text) => {
    ready.set(index, text)
    for (let due = ready.get(next); due !== undefined; due = ready.get(next)) {
      ready.delete(next)
      next += 1
      if (due !== '') print(due)
    }
  }
}

/** A person mistypes names; the engine is given files of ours and only knows that a disk may fail. */
async function whyUnreadable(path: string): Promise<string | undefined> {
  try {
    const facts = await stat(path)
    await access(path, constants.R_OK)
    if (facts.isDirectory()) return 'This is a folder. Name the files in it.'
    return facts.isFile() && facts.size === 0 ? 'The file is empty.' : undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'There is no such file.'
    return code === 'EACCES' ? 'You may not read this file.' : `The file cannot be read (${String(code)}).`
  }
}

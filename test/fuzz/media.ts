import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { FailureError } from '../../actors/failure.ts'
import { createDecoder } from '../../infra/speech/audio/decode.ts'
import type { AudioDecoder } from '../../infra/speech/audio/decode.ts'
import { createRandom } from '../sim/random.ts'
import { mediaSamples } from './media-samples.ts'
import { aMutant } from './mutate-media.ts'
import type { Mutant } from './mutate-media.ts'

export interface MediaRun {
  readonly seed: number
  readonly from: number
  readonly files: number
}

export interface MediaReport {
  readonly failures: readonly MediaFailure[]
  readonly files: number
  readonly seconds: number
  /** By mutation, then by what became of the file. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly longestMs: number
  /** Of this process, which asks; its decoders are held by the kernel. */
  readonly memoryMb: readonly [before: number, after: number]
}

export interface MediaFailure {
  readonly index: number
  readonly what: string
}

/** A file of some kilobytes; the decoder's own limit for one step is three times this. */
const longestAllowedMs = 10_000
/** A machine that is busy is not so each time; a file that takes long is. */
const tries = 3
const megabyte = 1024 * 1024

export async function fuzzMedia({ seed, from, files }: MediaRun): Promise<MediaReport> {
  const samples = await mediaSamples()
  const folder = await mkdtemp(join(tmpdir(), 'vaak-fuzz-'))
  const decoder = createDecoder()
  const outcomes = new Map<string, number>()
  const failures: MediaFailure[] = []
  const startedMs = performance.now()
  const before = memoryMb()
  let longestMs = 0
  try {
    for (let index = from; index < from + files; index += 1) {
      const mutant = aMutant({ random: createRandom(seed, `file ${index}`), samples })
      const path = join(folder, mutant.name)
      await writeFile(path, mutant.bytes)
      const { outcome, tookMs } = await timed(decoder, path)
      await rm(path)
      longestMs = Math.max(longestMs, tookMs)
      const key = `${mutant.mutation}${mutant.isGarbage ? ' (garbage)' : ''}: ${outcome.kind}`
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
      const what = complaint(mutant, outcome, tookMs)
      if (what !== undefined) failures.push({ index, what: `${mutant.name}, ${mutant.mutation}: ${what}` })
    }
  } finally {
    await decoder.close()
    await rm(folder, { recursive: true, force: true })
  }
  const seconds = (performance.now() - startedMs) / 1000
  return { failures, files, seconds, outcomes, longestMs, memoryMb: [before, memoryMb()] }
}

type Outcome =
  | { readonly kind: 'whole' | 'with warnings'; readonly seconds: number; readonly warnings: string }
  | { readonly kind: 'refused' | 'to be tried again' | 'crash'; readonly reason: string }

async function timed(
  decoder: AudioDecoder,
  path: string,
  triesLeft = tries,
): Promise<{ outcome: Outcome; tookMs: number }> {
  const beganMs = performance.now()
  const outcome = await decoded(decoder, path)
  const tookMs = performance.now() - beganMs
  return tookMs > longestAllowedMs && triesLeft > 1 ? timed(decoder, path, triesLeft - 1) : { outcome, tookMs }
}

async function decoded(decoder: AudioDecoder, path: string): Promise<Outcome> {
  try {
    const decoding = await decoder.decode(path, { channels: 'mix' })
    let samples = 0
    for await (const [block] of decoding) {
      samples += block?.length ?? 0
      if (block?.some((sample) => !Number.isFinite(sample))) return { kind: 'crash', reason: 'a sample is no number' }
    }
    const warnings = decoding.warnings.map(({ message }) => message).join(' ')
    return { kind: warnings === '' ? 'whole' : 'with warnings', seconds: samples / decoding.sampleRate, warnings }
  } catch (error) {
    if (!(error instanceof FailureError)) return { kind: 'crash', reason: String(error) }
    return { kind: error.failure.kind === 'terminal' ? 'refused' : 'to be tried again', reason: error.message }
  }
}

function complaint({ isGarbage, bytes }: Mutant, outcome: Outcome, tookMs: number): string | undefined {
  if (tookMs > longestAllowedMs) return `it took ${Math.round(tookMs)} ms`
  if (outcome.kind === 'crash' || outcome.kind === 'to be tried again') return `${outcome.kind}: ${outcome.reason}`
  if (isGarbage && 'seconds' in outcome)
    return `${outcome.seconds} s were heard in ${bytes.length} bytes of garbage ${outcome.warnings}`
  return undefined
}

function memoryMb(): number {
  global.gc?.()
  return process.memoryUsage.rss() / megabyte
}

import type { Attention } from '../align.ts'
import type { RecogniserChoice } from '../choose.ts'
import { drawn, likeliest, seededRandom } from '../choose.ts'
import type { TokenDecoder, Tensors } from '../decoder.ts'
import type { Heads } from '../look.ts'
import { layersOf, lookOf } from '../look.ts'
import { loopAtEnd } from '../loops.ts'
import { dropRow, stackRows } from '../rows.ts'
import type { WhisperConfig } from './config.ts'
import { timeRules } from './time-rules.ts'

interface WhisperDecodeOptions {
  readonly prompt: readonly number[]
  readonly temperature: number
  readonly times: boolean
  /** 1 where a token may never come. */
  readonly masked: Uint8Array
  readonly stopLoops: boolean
  readonly heads: Heads
  readonly signal?: AbortSignal
}

export interface Clip {
  readonly memory: Tensors
  readonly seconds: number
  /** Most tokens that so much speech can hold. */
  readonly tokenCap: number
}

export interface WhisperDecoded {
  readonly tokens: number[]
  readonly logProbs: number[]
  readonly noSpeech: number
  readonly attention: Attention | undefined
  readonly ended: 'end' | 'cap' | 'loop'
}

/** Encoder frames a second. */
const framesPerSecond = 50
const samplingSeed = 20_011

interface Row {
  readonly index: number
  readonly clip: Clip
  readonly random: () => number
  readonly tokens: number[]
  readonly logProbs: number[]
  readonly looks: Float32Array[]
  noSpeech: number
  ended: WhisperDecoded['ended'] | undefined
}

interface Decode {
  readonly clips: readonly Clip[]
  readonly options: WhisperDecodeOptions
}

/** Decodes clips side by side. Each is prompted alone and no row sees another, so that company changes nothing. */
export async function decode(
  decoder: TokenDecoder,
  config: WhisperConfig,
  { clips, options }: Decode,
): Promise<WhisperDecoded[]> {
  const scribe = scribeOf(config, options)
  const rows: Row[] = []
  const caches: Tensors[] = []
  for (const [index, clip] of clips.entries()) {
    const row = aRow(index, clip)
    const reading = await decoder.prompt(clip.memory, options.prompt, {
      positions: [Math.max(0, options.prompt.lastIndexOf(config.marks.start)), options.prompt.length - 1],
      attentionOf: layersOf(options.heads),
    })
    row.noSpeech = scribe.noSpeechIn(reading.logits.subarray(0, reading.vocabulary))
    scribe.write(
      row,
      reading.logits.subarray(reading.vocabulary),
      lookOf(reading, { row: 0, heads: options.heads, frames: framesOf(clip) }),
    )
    rows.push(row)
    caches.push(reading.cache)
  }
  await goOn(decoder, { rows, caches, scribe, options })
  return rows.map((row) => settled(row, options.heads.length))
}

interface Company {
  readonly rows: readonly Row[]
  readonly caches: readonly Tensors[]
  readonly scribe: Scribe
  readonly options: WhisperDecodeOptions
}

async function goOn(decoder: TokenDecoder, { rows, caches, scribe, options }: Company): Promise<void> {
  let open = rows.filter(({ ended }) => !ended)
  if (open.length === 0) return
  let memory = stackRows(open.map(({ clip }) => clip.memory))
  let cache = stackRows(open.map(({ index }) => caches[index]!))
  while (open.length > 0) {
    options.signal?.throwIfAborted()
    const tokens = open.map((row) => row.tokens.at(-1)!)
    const reading = await decoder.step(
      memory,
      { cache, tokens },
      { positions: [0], attentionOf: layersOf(options.heads) },
    )
    cache = reading.cache
    for (const [at, row] of open.entries()) {
      const logits = reading.logits.subarray(at * reading.vocabulary, (at + 1) * reading.vocabulary)
      scribe.write(row, logits, lookOf(reading, { row: at, heads: options.heads, frames: framesOf(row.clip) }))
    }
    for (let at = open.length - 1; at >= 0; at--) {
      if (!open[at]!.ended) continue
      memory = dropRow(memory, at, open.length)
      cache = dropRow(cache, at, open.length)
      open = open.toSpliced(at, 1, ...(at < open.length - 1 ? [open.at(-1)!] : [])).slice(0, open.length - 1)
    }
  }
}

interface Scribe {
  noSpeechIn(logits: Float32Array): number
  /** Chooses the row's next token, or ends the row. */
  write(row: Row, logits: Float32Array, look: Float32Array | undefined): void
}

function scribeOf(config: WhisperConfig, options: WhisperDecodeOptions): Scribe {
  const { marks } = config
  const rules = options.times ? timeRules(marks) : undefined
  const room = config.maxTokens - options.prompt.length
  return {
    noSpeechIn(logits) {
      if (marks.noSpeech === undefined) return 0
      const { token, logProb } = likeliest(logits)
      return Math.exp(logProb + logits[marks.noSpeech]! - logits[token]!)
    },
    write(row, logits, look) {
      for (const token of config.suppress) logits[token] = -Infinity
      if (row.tokens.length === 0) for (const token of config.suppressFirst) logits[token] = -Infinity
      mask(logits, options.masked)
      rules?.apply(logits, row.tokens)
      const choice = choose(logits, options.temperature, row.random)
      if (look) row.looks.push(look)
      if (choice.token === marks.end) {
        row.ended = 'end'
        row.logProbs.push(choice.logProb)
        return
      }
      row.tokens.push(choice.token)
      row.logProbs.push(choice.logProb)
      if (options.stopLoops && loopAtEnd(row.tokens)) row.ended = 'loop'
      else if (row.tokens.length >= Math.min(room, row.clip.tokenCap)) row.ended = 'cap'
    },
  }
}

function choose(logits: Float32Array, temperature: number, random: () => number): RecogniserChoice {
  return temperature === 0 ? likeliest(logits) : drawn(logits, temperature, random)
}

function mask(logits: Float32Array, masked: Uint8Array): void {
  for (let i = 0; i < masked.length; i++) if (masked[i] === 1) logits[i] = -Infinity
}

function aRow(index: number, clip: Clip): Row {
  const random = seededRandom(samplingSeed)
  return { index, clip, random, tokens: [], logProbs: [], looks: [], noSpeech: 0, ended: undefined }
}

function settled(row: Row, heads: number): WhisperDecoded {
  const { tokens, logProbs, noSpeech, looks } = row
  const loop = row.ended === 'loop' ? loopAtEnd(tokens) : undefined
  const kept = loop?.from ?? tokens.length
  const frames = framesOf(row.clip)
  return {
    tokens: tokens.slice(0, kept),
    logProbs: row.ended === 'end' ? logProbs : logProbs.slice(0, kept),
    noSpeech,
    attention: looks.length > 0 ? { rows: looks.slice(0, kept + 1), heads, frames } : undefined,
    ended: row.ended ?? 'end',
  }
}

function framesOf({ seconds }: Clip): number {
  return Math.ceil(seconds * framesPerSecond)
}

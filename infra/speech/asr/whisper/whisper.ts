import { readFile } from 'node:fs/promises'

import { recogniserRate } from '../../../../actors/conversation/ports.ts'
import { logMel } from '../../audio/mel.ts'
import type { Heads } from '../look.ts'
import type { Recogniser, Transcript } from '../recogniser.ts'
import { refuseLanguage, refuseLong } from '../refuse.ts'
import { settleWords } from '../settle-words.ts'
import type { WhisperConfig } from './config.ts'
import { readWhisperConfig } from './config.ts'
import type { Clip, WhisperDecoded } from './decode.ts'
import { decode } from './decode.ts'
import type { Flag, Guards } from './guards.ts'
import { guardsOn, judge, clipLevel, tokenCap } from './guards.ts'
import { detectLanguage } from './language.ts'
import type { Net, NetFiles } from './net.ts'
import { openNet } from './net.ts'
import { promptOf } from './prompt.ts'
import { foreignTokens, hasForeignLetters, scriptsOf } from './scripts.ts'
import { timedTokens } from './times.ts'
import type { Tokenizer } from './tokenizer.ts'
import { readTokenizer } from './tokenizer.ts'
import { tokenConfidence, whisperWords } from './words.ts'

export interface WhisperFiles extends NetFiles {
  readonly config: string
  readonly generation: string
  readonly tokenizer: string
}

export interface WhisperOptions {
  readonly id: string
  readonly files: WhisperFiles
  /** Threads of this one recogniser: several with one thread each do more together than one with several. */
  readonly threads: number
  readonly guards?: Guards
  /** Languages to detect among; all of the model's when left out. */
  readonly languages?: readonly string[]
  readonly wordTimes?: boolean
  /** Lets the model write times itself. Words are timed by attention either way, where the export shows it. */
  readonly timeMarks?: boolean
  /** Clips decoded side by side. */
  readonly batch?: number
}

export const whisperWindowSeconds = 30
/** What the keys and values of a batch may take; fewer clips go side by side when they are larger. */
const batchBytesMax = 384 * 2 ** 20
const reservedForAnswer = 2

/** Runs on the thread that calls it and blocks it while it computes: host it in a worker. */
export async function openWhisper(options: WhisperOptions): Promise<Recogniser> {
  const tokenizer = readTokenizer(await readJson(options.files.tokenizer))
  const json = { config: await readJson(options.files.config), generation: await readJson(options.files.generation) }
  const config = readWhisperConfig(json, tokenizer)
  const width = batchWidth(config, options.batch ?? 1)
  const net = await openNet(options.files, { config, threads: options.threads, batch: width > 1 })
  const model: Model = { net, config, tokenizer, options, guards: options.guards ?? guardsOn, masks: new Map() }
  const languages = config.marks.languages.size === 0 ? ['en'] : [...config.marks.languages.keys()]

  return {
    id: options.id,
    languages,
    windowSeconds: whisperWindowSeconds,
    async transcribe(clips, request) {
      refuseLanguage(options.id, languages, request.language)
      for (const clip of clips) refuseLong(clip, whisperWindowSeconds)
      const transcripts: Transcript[] = []
      for (let at = 0; at < clips.length; at += width)
        transcripts.push(...(await transcribeTogether(model, clips.slice(at, at + width), request)))
      return transcripts
    },
    close: () => net.close(),
  }
}

interface Model {
  readonly net: Net
  readonly config: WhisperConfig
  readonly tokenizer: Tokenizer
  readonly options: WhisperOptions
  readonly guards: Guards
  /** By language: tokens that may not come. */
  readonly masks: Map<string, Uint8Array>
}

type Request = Parameters<Recogniser['transcribe']>[1]

interface EncodedClip extends Clip {
  readonly samples: Float32Array
  readonly language: string
}

async function transcribeTogether(
  model: Model,
  clips: readonly Float32Array[],
  request: Request,
): Promise<Transcript[]> {
  const audible = clips.filter((samples) => clipLevel(samples) >= model.guards.leastLevel && samples.length > 0)
  const heard: EncodedClip[] = []
  for (const samples of audible) {
    request.signal?.throwIfAborted()
    heard.push(await encodeClip(model, samples, request.language))
  }
  const transcripts = new Map<Float32Array, Transcript>()
  for (const language of new Set(heard.map((clip) => clip.language))) {
    const indices = heard.flatMap((clip, index) => (clip.language === language ? [index] : []))
    const group = indices.map((index) => heard[index]!)
    const written = await writeDown(model, { group, language }, request)
    for (const [at, index] of indices.entries()) transcripts.set(audible[index]!, written[at]!)
  }
  return clips.map((samples) => transcripts.get(samples) ?? silence(request.language ?? 'en', 'silent'))
}

async function encodeClip(
  { net, config, options, guards }: Model,
  samples: Float32Array,
  wanted?: string,
): Promise<EncodedClip> {
  const mel = logMel(samples, { bins: config.melBins, padToSeconds: whisperWindowSeconds })
  const memory = await net.encode(mel.data)
  const among = options.languages ?? [...config.marks.languages.keys()]
  const language = wanted ?? (await detectLanguage({ decoder: net.decoder, marks: config.marks, among }, memory))
  const seconds = samples.length / recogniserRate
  const latin = scriptsOf(language).length === 1
  return { samples, memory, seconds, language, tokenCap: guards.capTokens ? tokenCap(seconds, latin) : Infinity }
}

/** Decodes until each clip passes the guards or nothing is left to try; then the best of what there is, marked. */
async function writeDown(
  model: Model,
  { group, language }: { group: readonly EncodedClip[]; language: string },
  request: Request,
): Promise<Transcript[]> {
  const { net, config, guards } = model
  const best = new Map<EncodedClip, Attempt>()
  let open = group
  for (const temperature of guards.temperatures) {
    if (open.length === 0) break
    const decoded = await decode(net.decoder, config, {
      clips: open,
      options: {
        prompt: promptFor(model, language, request.hotwords ?? []),
        temperature,
        times: model.options.timeMarks ?? false,
        masked: maskFor(model, language),
        stopLoops: guards.stopLoops,
        heads: headsFor(model),
        ...(request.signal ? { signal: request.signal } : {}),
      },
    })
    const attempts = new Map(open.map((clip, index) => [clip, attemptOf(model, clip, decoded[index]!)]))
    for (const [clip, attempt] of attempts) if (betterThan(attempt, best.get(clip))) best.set(clip, attempt)
    open = open.filter((clip) => attempts.get(clip)!.verdict === 'again')
  }
  return group.map((clip) => transcriptOf(model, clip, best.get(clip)!))
}

interface Attempt {
  readonly decoded: WhisperDecoded
  readonly text: string
  readonly logProb: number
  readonly verdict: 'pass' | 'silence' | 'again'
  readonly flags: readonly Flag[]
}

function attemptOf({ tokenizer, guards, config }: Model, clip: EncodedClip, decoded: WhisperDecoded): Attempt {
  const text = tokenizer.decode(decoded.tokens.filter((id) => id < config.marks.end)).trim()
  const logProb = mean(decoded.logProbs)
  const foreign = guards.guardScript && hasForeignLetters(text, scriptsOf(clip.language))
  const { ended, noSpeech } = decoded
  return { decoded, text, logProb, ...judge({ text, logProb, ended, noSpeech, foreign }, guards) }
}

/** Fewer complaints first, then the surer one: a loop is always very sure of itself. */
function betterThan(attempt: Attempt, other: Attempt | undefined): boolean {
  if (!other) return true
  if (attempt.flags.length !== other.flags.length) return attempt.flags.length < other.flags.length
  return attempt.logProb > other.logProb
}

function transcriptOf(model: Model, clip: EncodedClip, attempt: Attempt): Transcript {
  const { decoded, text, logProb, flags, verdict } = attempt
  const { tokenizer, config, options } = model
  if (verdict === 'silence') return { ...silence(clip.language, ...flags), noSpeech: decoded.noSpeech, logProb }
  const written = { ...decoded, seconds: clip.seconds, bytesOf: (id: number) => tokenizer.bytesOf(id).length }
  const rough =
    options.wordTimes === false ? [] : whisperWords(timedTokens(written, config.marks), clip.language, tokenizer)
  const words = settleWords(rough, clip.samples)
  const confidence = tokenConfidence(decoded.logProbs)
  return { text, language: clip.language, confidence, logProb, noSpeech: decoded.noSpeech, words, flags }
}

function silence(language: string, ...flags: readonly Flag[]): Transcript {
  return { text: '', language, confidence: 0, logProb: 0, noSpeech: 1, words: [], flags }
}

function promptFor({ config, tokenizer, options }: Model, language: string, hotwords: readonly string[]): number[] {
  const times = options.timeMarks ?? false
  const room = Math.floor(config.maxTokens / reservedForAnswer) - 1
  return promptOf({ marks: config.marks, tokenizer, room }, { language, hotwords, times })
}

function maskFor({ masks, guards, tokenizer, config, options }: Model, language: string): Uint8Array {
  const known = masks.get(language)
  if (known) return known
  const mask = guards.guardScript ? foreignTokens(tokenizer, scriptsOf(language)) : new Uint8Array(tokenizer.size)
  if (guards.guardScript && !options.timeMarks) mask.fill(1, config.marks.firstTime)
  masks.set(language, mask)
  return mask
}

/** The export's own alignment heads; else all heads of the upper half, which is where attention follows the audio. */
function headsFor({ net, config, options }: Model): Heads {
  if (options.wordTimes === false || net.decoder.attentionLayers.length === 0) return []
  if (config.alignmentHeads.length > 0) return config.alignmentHeads
  return net.decoder.attentionLayers
    .filter((layer) => layer >= config.layers / 2)
    .flatMap((layer) => Array.from({ length: config.heads }, (_, head) => [layer, head] as const))
}

function batchWidth({ layers, heads, headWidth, encoderFrames }: WhisperConfig, wanted: number): number {
  const bytes = 2 * layers * heads * headWidth * encoderFrames * Float32Array.BYTES_PER_ELEMENT
  return Math.max(1, Math.min(wanted, Math.floor(batchBytesMax / bytes)))
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

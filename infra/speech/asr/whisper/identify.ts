import { readFile } from 'node:fs/promises'

import { recogniserRate } from '../../../../actors/conversation/ports.ts'
import { logMel } from '../../audio/mel.ts'
import { readWhisperConfig } from './config.ts'
import { openNet } from './net.ts'
import { readTokenizer } from './tokenizer.ts'
import { whisperWindowSeconds } from './whisper.ts'
import type { WhisperFiles } from './whisper.ts'

/** How sure the detector is of each language, 0..1. */
export type LanguageLikelihoods = Readonly<Record<string, number>>

/** Says which language a clip is likely to be, without writing it down. */
export interface LanguageDetector {
  identify(samples: Float32Array): Promise<LanguageLikelihoods>
  close(): Promise<void>
}

export interface LanguageDetectorOptions {
  readonly files: WhisperFiles
  readonly threads: number
}

/** Shorter clips are padded to this. It was trained on half a minute, which takes it five times as long and tells no more. */
const leastSeconds = 10

/** Whisper names the language before the first word; the smallest model is good enough at that. Blocks the calling thread. */
export async function openLanguageDetector(options: LanguageDetectorOptions): Promise<LanguageDetector> {
  const tokenizer = readTokenizer(await readJson(options.files.tokenizer))
  const json = { config: await readJson(options.files.config), generation: await readJson(options.files.generation) }
  const config = readWhisperConfig(json, tokenizer)
  const net = await openNet(options.files, { config, threads: options.threads, batch: false, anyLength: true })
  return {
    async identify(samples) {
      const beginning = samples.subarray(0, whisperWindowSeconds * recogniserRate) // enough to know a language by
      const padToSeconds = Math.max(leastSeconds, beginning.length / recogniserRate)
      const mel = logMel(beginning, { bins: config.melBins, padToSeconds })
      const memory = await net.encode(mel.data)
      const { logits } = await net.decoder.prompt(memory, [config.marks.start], { positions: [0], attentionOf: [] })
      const scores = [...config.marks.languages].map(
        ([language, token]) => [language, logits[token] ?? -Infinity] as const,
      )
      return softmax(scores)
    },
    close: () => net.close(),
  }
}

function softmax(scores: readonly (readonly [string, number])[]): LanguageLikelihoods {
  const highest = Math.max(...scores.map(([, score]) => score))
  const powers = scores.map(([language, score]) => [language, Math.exp(score - highest)] as const)
  const sum = powers.reduce((total, [, power]) => total + power, 0)
  return Object.fromEntries(powers.map(([language, power]) => [language, power / sum]))
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

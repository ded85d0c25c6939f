import { readFile } from 'node:fs/promises'

import { recogniserRate } from '../../../../actors/conversation/ports.ts'
import { logMel } from '../../audio/mel.ts'
import { openFirstToken } from '../first-token.ts'
import { readWhisperConfig } from './config.ts'
import { openMelEncoder } from './mel-encoder.ts'
import { readTokenMarks } from './tokenizer.ts'
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
  const { files, threads } = options
  const json = { config: await readJson(files.config), generation: await readJson(files.generation) }
  const config = readWhisperConfig(json, readTokenMarks(await readJson(files.tokenizer)))
  const languages = [...config.marks.languages]
  const encoder = await openMelEncoder(files.encoder, { config, threads, anyLength: true })
  const first = await openFirstToken(files, {
    threads,
    after: config.marks.start,
    among: languages.map(([, token]) => token),
  })
  return {
    async identify(samples) {
      const beginning = samples.subarray(0, whisperWindowSeconds * recogniserRate) // enough to know a language by
      const padToSeconds = Math.max(leastSeconds, beginning.length / recogniserRate)
      const mel = logMel(beginning, { bins: config.melBins, padToSeconds })
      const logits = await first.logitsOf(await encoder.encode(mel.data))
      return softmax(languages.map(([language], at) => [language, logits[at] ?? -Infinity]))
    },
    async close() {
      await encoder.close()
      await first.close()
    },
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

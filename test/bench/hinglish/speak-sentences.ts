import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { recogniserRate, spokenRate } from '../../../actors/conversation/ports.ts'
import { resample } from '../../../infra/speech/audio/signal/resample.ts'
import { decodeWav, encodeWav } from '../../../infra/speech/audio/wav.ts'
import type { OpenVoices } from '../../../infra/speech/tts/open-voices.ts'
import { benchSpeak } from '../tts/speak.ts'

interface SpokenSentence {
  readonly text: string
  readonly voice: string
  /** At 16 kHz. */
  readonly samples: Float32Array
}

export interface Speaking {
  /** Opened only when a sentence is not in the folder. */
  readonly open: () => OpenVoices
  /** Where what was once spoken is kept: the neural voices take longer than the speech lasts. */
  readonly cacheFolder: string
  /** Ids; they take turns, a sentence each. */
  readonly voices?: readonly string[]
}

const hindiVoices = ['asha', 'arjun', 'kabir', 'dev']

export async function speakSentences(sentences: readonly string[], speaking: Speaking): Promise<SpokenSentence[]> {
  const { open, cacheFolder, voices = hindiVoices } = speaking
  await mkdir(cacheFolder, { recursive: true })
  let opened: OpenVoices | undefined
  const spoken: SpokenSentence[] = []
  try {
    for (const [at, text] of sentences.entries()) {
      const voice = voices[at % voices.length]!
      const path = join(cacheFolder, fileName(voice, text))
      const samples = (await kept(path)) ?? (await keep(path, await say((opened ??= open()), voice, text)))
      spoken.push({ text, voice, samples })
    }
  } finally {
    await opened?.close()
  }
  return spoken
}

function fileName(voice: string, text: string): string {
  return `${voice}-${createHash('sha256').update(text.normalize()).digest('hex').slice(0, 16)}.wav`
}

async function say(voices: OpenVoices, voice: string, text: string): Promise<Float32Array> {
  const { samples } = await benchSpeak(voices, voice, text)
  return resample(samples, spokenRate, recogniserRate)
}

async function kept(path: string): Promise<Float32Array | undefined> {
  const bytes = await readFile(path).catch(() => undefined)
  return bytes && decodeWav(bytes)?.samples
}

/** What is read back, so that the first run hears what the next ones do. */
async function keep(path: string, samples: Float32Array): Promise<Float32Array> {
  const bytes = encodeWav({ samples, extra: new Map() })
  await writeFile(`${path}.part`, bytes)
  await rename(`${path}.part`, path)
  return decodeWav(bytes)!.samples
}

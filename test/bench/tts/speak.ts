import type { OpenVoices } from '../../../infra/speech/tts/open-voices.ts'
import { joinedSamples } from '../../support/samples.ts'
import type { sentences } from './sentences.ts'

interface SpokenAudio {
  readonly samples: Float32Array
  readonly firstMs: number
  readonly totalMs: number
}

export async function benchSpeak(voices: OpenVoices, voice: string, text: string): Promise<SpokenAudio> {
  async function* once(): AsyncGenerator<string> {
    yield text
  }
  const parts: Float32Array[] = []
  const fromMs = performance.now()
  let firstMs = 0
  for await (const { samples } of voices.speak(once(), { voice, signal: new AbortController().signal })) {
    firstMs ||= performance.now() - fromMs
    parts.push(Float32Array.from(samples, (sample) => sample / 32_768))
  }
  return { samples: joinedSamples(parts), firstMs, totalMs: performance.now() - fromMs }
}

export function sentencesIn(language: string): keyof typeof sentences {
  return language === 'hi' || language === 'ta' ? language : 'en'
}

import { spokenRate } from '../../../../actors/conversation/ports.ts'
import type { EngineSpeakOptions, Said, VoiceEngine } from '../engine.ts'
import type { ESpeak } from '../espeak/espeak.ts'
import { lineUp, requestFor } from '../light.ts'
import type { SpokenText } from '../spoken-text.ts'
import type { KokoroModel } from './model.ts'
import { mixStyles, styleFor } from './styles.ts'
import type { Style } from './styles.ts'
import { utterancesOf } from './utterance.ts'

/** The neural voice: phonemes of the phoneme engine, spoken by Kokoro in a mixture of its styles. */
export function createNeuralEngine(espeak: ESpeak, model: KokoroModel): VoiceEngine {
  const mixed = new Map<string, Style>()

  function styleOf({ voice }: EngineSpeakOptions): Style {
    const key = JSON.stringify(voice.neural.styles)
    const known = mixed.get(key) ?? mixStyles(voice.neural.styles, (name) => model.styleOf(name))
    mixed.set(key, known)
    return known
  }

  return {
    name: 'neural',
    async say(clause, options) {
      const { text, offsets } = lineUp(clause)
      const request = { ...requestFor(clause.language, text, options), audio: false }
      const spelt = await espeak.speak(request, options.signal, options.owner)
      const utterances = utterancesOf(clause, offsets, { ...spelt, speed: options.speed })
      const style = styleOf(options)
      const { pitch, rate } = options.voice.neural
      const speed = options.speed * rate
      const said: Part[] = []
      for (const { tokens, words } of utterances) {
        const made = await model.run({ tokens, style: styleFor(style, tokens.length), speed, pitch }, options)
        said.push({ ...made, words })
      }
      return joined(clause, said)
    },
    close: () => model.close(),
  }
}

interface Part {
  readonly samples: Float32Array
  /** Of each token, the edge before the first included, in frames. */
  readonly durations: Float32Array
  readonly words: readonly { readonly word: number; readonly token: number }[]
}

function joined(clause: SpokenText, parts: readonly Part[]): Said {
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.samples.length, 0))
  const starts: (number | undefined)[] = clause.words.map(() => undefined)
  let at = 0
  for (const part of parts) {
    samples.set(part.samples, at)
    const frames = part.durations.reduce((sum, each) => sum + each, 0)
    const samplesPerFrame = part.samples.length / Math.max(1, frames)
    for (const { word, token } of part.words) {
      const before = part.durations.subarray(0, token + 1).reduce((sum, each) => sum + each, 0)
      starts[word] ??= ((at + before * samplesPerFrame) * 1_000) / spokenRate
    }
    at += part.samples.length
  }
  return { samples, starts }
}

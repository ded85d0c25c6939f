import { toFloat } from '../audio/signal/pcm.ts'
import type { EngineSpeakOptions, Said, VoiceEngine } from './engine.ts'
import { textMax } from './espeak/espeak.ts'
import type { ESpeak } from './espeak/espeak.ts'
import type { SpeakRequest } from './espeak/protocol.ts'
import type { VoiceLanguage } from './languages.ts'
import type { SpokenText } from './spoken-text.ts'

/** The phoneme engine's own voice: not beautiful, but many times faster than speech on any machine. */
export function createLightEngine(espeak: ESpeak): VoiceEngine {
  return {
    name: 'light',
    async say(clause, options) {
      const { text, offsets } = lineUp(clause)
      const answer = await espeak.speak(requestFor(clause.language, text, options), options.signal, options.owner)
      return { samples: toFloat(answer.samples), starts: startsOf(offsets, answer.words) } satisfies Said
    },
    close: () => Promise.resolve(), // the phoneme engine is its owner's
  }
}

/** What the engine calls our languages. Its Hindi and Tamil voices read Latin words as English by themselves. */
const engineLanguages: Readonly<Record<VoiceLanguage, string>> = { hi: 'hi', ta: 'ta', en: 'en-us' }
/** Words a minute that the engine can do; the rest is done by stretching. */
const slowestRate = 80
const fastestRate = 400

export function requestFor(language: VoiceLanguage, text: string, options: EngineSpeakOptions): SpeakRequest {
  const { variant, pitch, range, rate } = options.voice.light
  const voice = `${engineLanguages[language]}+${variant}`
  const wanted = rate * options.speed
  const possible = Math.round(Math.max(slowestRate, Math.min(fastestRate, wanted)))
  return { voice, pitch, range, rate: possible, stretch: wanted / possible, text, audio: true }
}

/** The words in one line for the engine, and where each begins in it, in characters as the engine counts them. */
export function lineUp(clause: SpokenText): { text: string; offsets: readonly (number | undefined)[] } {
  let text = ''
  let at = 0
  const offsets = clause.words.map(({ spoken, pause }) => {
    const piece = `${spoken}${pause} `
    if (spoken === '' || text.length + piece.length > textMax) return undefined
    const offset = at
    text += piece
    at += Array.from(piece).length
    return offset
  })
  return { text: text.trimEnd(), offsets }
}

/** The engine says some short words as one, as in `to be`: those share the time until the next word it tells of. */
function startsOf(
  offsets: readonly (number | undefined)[],
  told: readonly { readonly at: number; readonly ms: number }[],
): (number | undefined)[] {
  const bounds = offsets.filter((offset) => offset !== undefined)
  const own = new Map<number, number>()
  for (const { at, ms } of told) {
    const offset = bounds.findLast((bound) => bound <= at) ?? 0
    if (!own.has(offset)) own.set(offset, ms)
  }
  const lastMs = told.at(-1)?.ms ?? 0
  return offsets.map((offset) => {
    if (offset === undefined) return undefined
    const known = own.get(offset)
    if (known !== undefined) return known
    const before = bounds.findLast((bound) => bound < offset && own.has(bound)) ?? 0
    const after = bounds.find((bound) => bound > offset && own.has(bound))
    const from = own.get(before) ?? 0
    if (after === undefined) return lastMs
    return from + ((own.get(after)! - from) * (offset - before)) / (after - before)
  })
}

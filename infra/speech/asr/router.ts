import { chooseRoute } from './choose-route.ts'
import { transcribeInPieces } from './in-pieces.ts'
import type { Recogniser, Transcript } from './recogniser.ts'
import type { Flag } from './whisper/guards.ts'
import type { LanguageDetector } from './whisper/identify.ts'

/** What was heard, and by which recogniser. */
export interface Routed {
  readonly transcript: Transcript
  readonly model: string
}

export interface HearOptions {
  /** Left out: found out chunk by chunk. */
  readonly language?: string
  readonly hotwords?: readonly string[]
  readonly signal?: AbortSignal
}

export interface Router {
  hear(clip: Float32Array, options: HearOptions): Promise<Routed>
  close(): Promise<void>
}

export interface RouterModels {
  /** Languages that have a recogniser of their own, in the order of preference when nothing is known. */
  readonly languages: readonly string[]
  /** Opened when it is first needed, then kept. */
  recogniser(language: string): Promise<Recogniser>
  /** For a second opinion on what the first could not make sense of. */
  fallback(): Promise<Recogniser>
  detector(): Promise<LanguageDetector>
  close(): Promise<void>
}

/** Below this a transcript is asked about again… */
const doubtful = 0.45
/** …and below this it is noise that was taken for words. */
const worthless = 0.2
const speechless = 0.6
/**
 * What halves the trust in a transcript. Not 'unsure': that is its confidence, which would count twice. Not the flags of
 * silence: they come without words, or, from a recogniser that hears pieces, with the words of the other pieces.
 */
const trouble: readonly Flag[] = ['looped', 'capped', 'repetitive', 'foreign-script']
const troubleFlags: ReadonlySet<string> = new Set(trouble)

export function createRouter(models: RouterModels): Router {
  async function listen(clip: Float32Array, language: string, options: HearOptions): Promise<Routed> {
    const recogniser = await models.recogniser(language)
    return ask(recogniser, clip, { ...options, language })
  }

  async function firstOpinion(clip: Float32Array, options: HearOptions): Promise<Routed> {
    if (options.language !== undefined) return listen(clip, options.language, options)
    const likelihoods = await (await models.detector()).identify(clip)
    const route = chooseRoute(likelihoods, models.languages)
    if (route.type === 'One') return listen(clip, route.language, options)
    const [likely, unlikely] = await Promise.all([
      listen(clip, route.languages[0], options),
      listen(clip, route.languages[1], options),
    ])
    return scoreOf(unlikely.transcript) > route.odds * scoreOf(likely.transcript) ? unlikely : likely
  }

  return {
    async hear(clip, options) {
      const first = await firstOpinion(clip, options)
      if (!isDoubtful(first.transcript)) return first
      const fallback = await models.fallback()
      // it would only say the same again
      if (fallback.id === first.model) return mark(first)
      const second = await ask(fallback, clip, {
        ...options,
        language: options.language ?? first.transcript.language,
      })
      return mark(better(first, second))
    },
    close: () => models.close(),
  }
}

async function ask(recogniser: Recogniser, clip: Float32Array, options: HearOptions): Promise<Routed> {
  const { language } = options
  const known = language !== undefined && recogniser.languages.includes(language)
  const transcript = await transcribeInPieces(recogniser, clip, {
    ...(known && { language }),
    ...(options.hotwords && { hotwords: options.hotwords }),
    ...(options.signal && { signal: options.signal }),
  })
  return { transcript, model: recogniser.id }
}

function better(one: Routed, other: Routed): Routed {
  return scoreOf(other.transcript) > scoreOf(one.transcript) ? other : one
}

/** No words are as good as the recogniser is sure that nobody speaks: one that does not know the language hears none either. */
function scoreOf({ words, confidence, noSpeech, flags }: Transcript): number {
  if (words.length === 0) return noSpeech
  return flags.some((flag) => troubleFlags.has(flag)) ? confidence / 2 : confidence
}

function isDoubtful(transcript: Transcript): boolean {
  return transcript.words.length > 0 && scoreOf(transcript) < doubtful
}

/** What two recognisers could not make sense of is said to be so, or, when it is hardly speech at all, left out. */
function mark(routed: Routed): Routed {
  const { transcript, model } = routed
  const score = scoreOf(transcript)
  if (score >= doubtful || transcript.words.length === 0) return routed
  const isNoise = score < worthless || (transcript.noSpeech > speechless && score < doubtful)
  return {
    model,
    transcript: isNoise
      ? { ...transcript, text: '', words: [], flags: [...transcript.flags, 'not speech'] }
      : { ...transcript, flags: [...transcript.flags, 'doubtful'] },
  }
}

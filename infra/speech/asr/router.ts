import { heardRate } from '../../../actors/conversation/ports.ts'
import { languageCodes } from '../../../actors/transcript/state.ts'
import { englishInLatin } from '../text/code-mixed.ts'
import { sentencesOf } from '../transcript/sentences.ts'
import type { Span } from '../vad/segments.ts'
import { partsBetween } from './apart.ts'
import { transcribeInPieces } from './in-pieces.ts'
import type { ListenedVocabulary, Recogniser, Transcript, Word } from './recogniser.ts'
import { isSameSpeech, splice } from './splice.ts'
import { stretchesOf } from './stretches.ts'
import type { Stretch } from './stretches.ts'
import type { Flag } from './whisper/guards.ts'
import type { LanguageDetector } from './whisper/identify.ts'

/** What was heard, and by which recogniser most of it. */
export interface Routed {
  readonly transcript: Transcript
  readonly model: string
}

export interface RecogniseOptions {
  /** Left out: found out word by word. */
  readonly language?: string
  readonly hotwords?: readonly string[]
  readonly vocabulary?: ListenedVocabulary
  readonly signal?: AbortSignal
}

interface ClipOptions extends RecogniseOptions {
  /** Where in the clip there is speech, in samples, if somebody looked: a long clip is cut in between. */
  readonly speech?: readonly Span[]
  /** There is more of it to come: what makes no sense yet is left out, and nobody else is asked about it. */
  readonly isUnfinished?: boolean
}

export interface Router {
  transcribe(clip: Float32Array, options: ClipOptions): Promise<Routed>
  close(): Promise<void>
}

/** Each is opened when it is first needed, then kept. */
export interface RouterModels {
  /** Writes down Hindi and English in one pass: hears whatever nobody named a language for. */
  first(): Promise<Recogniser>
  /** Languages of which somebody else hears longer stretches better than the first. */
  readonly again: readonly string[]
  /** Whoever hears a language best. */
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
/** How sure the detector must be that a clip in doubt is in a language that the first does not know… */
const sureOfOther = 0.5
/** …and in one that nobody here knows. */
const sureOfForeign = 0.8
/**
 * What halves the trust in a transcript. Not 'unsure': that is its confidence, which would count twice. Not the flags of
 * silence: they come without words, or, from a recogniser that hears pieces, with the words of the other pieces.
 */
const trouble: readonly Flag[] = ['looped', 'capped', 'repetitive', 'foreign-script']
const troubleFlags: ReadonlySet<string> = new Set(trouble)

/** What is to be heard, and how. */
interface Task extends ClipOptions {
  readonly clip: Float32Array
}

export function createRouter(models: RouterModels): Router {
  return {
    async transcribe(clip, options) {
      const task = { ...options, clip }
      const first = await firstOpinion(models, task)
      if (isDoubtful(first.transcript))
        return options.isUnfinished
          ? { ...first, transcript: silenced(first.transcript, 'unfinished') }
          : mark(await secondOpinion(models, task, first))
      return options.language === undefined ? transcribeAgain(models, task, first) : first
    },
    close: () => models.close(),
  }
}

async function firstOpinion(models: RouterModels, task: Task): Promise<Routed> {
  const { language } = task
  const first = await ask(await (language === undefined ? models.first() : models.recogniser(language)), task)
  return { ...first, transcript: withEnglishInLatin(first.transcript) }
}

/** Only where the recogniser tells languages apart word by word: others write what they mean to. */
function withEnglishInLatin(transcript: Transcript): Transcript {
  const words = sentencesOf(transcript.words).flatMap((sentence) => {
    const texts = englishInLatin(sentence.map(({ text }) => text))
    return sentence.map((word, at) =>
      word.language === undefined || texts[at] === word.text ? word : { ...word, text: texts[at]!, language: 'en' },
    )
  })
  return { ...transcript, words, text: words.map(({ text }) => text).join(' ') }
}

/** Stretches in a language that somebody hears better; what they cannot have heard right stays as it was heard first. */
async function transcribeAgain(models: RouterModels, task: Task, first: Routed): Promise<Routed> {
  let words = await transcribeApart(models, task, first.transcript)
  for (const language of models.again)
    // the last comes first: those before it keep their numbers
    for (const stretch of stretchesOf(words, language, task.clip.length / heardRate).reverse()) {
      const heard = await transcribeStretch(models, { ...task, language }, stretch)
      if (isBetter(words.slice(stretch.first, stretch.last + 1), heard))
        words = splice(
          words,
          stretch,
          heard.words.map((word) => ({ ...word, language })),
        )
    }
  const own = words.map((word) => (word.model === undefined ? { ...word, model: first.model } : word))
  return { ...first, transcript: transcriptOf(first.transcript, own) }
}

/** What stands apart from those stretches is heard again by the first, without their company: it hears one voice better than two. */
async function transcribeApart(models: RouterModels, task: Task, { words }: Transcript): Promise<readonly Word[]> {
  let heard = words
  for (const part of partsBetween(words, models.again, task.clip.length / heardRate).reverse()) {
    const { transcript } = await ask(await models.first(), within(task, part))
    const again = withEnglishInLatin(transcript)
    if (isBetter(words.slice(part.first, part.last + 1), again)) heard = splice(heard, part, again.words)
  }
  return heard
}

async function transcribeStretch(
  models: RouterModels,
  task: Task & { readonly language: string },
  stretch: Stretch,
): Promise<Transcript> {
  const { transcript, model } = await ask(await models.recogniser(task.language), within(task, stretch))
  return { ...transcript, words: transcript.words.map((word) => ({ ...word, model })) }
}

function within<Whole extends Task>(task: Whole, stretch: Stretch): Whole {
  const [from, to] = [Math.round(stretch.start * heardRate), Math.round(stretch.end * heardRate)]
  const speech = (task.speech ?? [])
    .map(({ start, end }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from }))
    .filter(({ start, end }) => start < end)
  return { ...task, clip: task.clip.subarray(from, to), speech }
}

function isBetter(first: readonly Word[], again: Transcript): boolean {
  return again.words.length > 0 && !isDoubtful(again) && isSameSpeech(first, again.words)
}

function transcriptOf(first: Transcript, words: readonly Word[]): Transcript {
  return { ...first, words, text: words.map(({ text }) => text).join(' '), language: languageOf(words, first.language) }
}

function languageOf(words: readonly Word[], otherwise: string): string {
  const seconds = new Map<string, number>()
  for (const { language = otherwise, start, end } of words)
    seconds.set(language, (seconds.get(language) ?? 0) + end - start)
  return [...seconds].reduce((most, one) => (one[1] > most[1] ? one : most), [otherwise, 0])[0]
}

/** By who knows all languages: of what another than the first heard, or of a language that the first does not know. */
async function secondOpinion(models: RouterModels, task: Task, first: Routed): Promise<Routed> {
  const language = task.language ?? (await otherLanguage(models, task.clip))
  const own = await models.first()
  // of its own languages nobody who knows all of them hears more than the first
  if (language === undefined || (own.id === first.model && own.languages.includes(language))) return first
  if (language === foreign) return { ...first, transcript: silenced(first.transcript, 'other-language') }
  const fallback = await models.fallback()
  // it would only say the same again
  if (fallback.id === first.model) return first
  return better(first, await ask(fallback, { ...task, language }))
}

const foreign = 'foreign'

async function otherLanguage(models: RouterModels, clip: Float32Array): Promise<string | undefined> {
  const { languages } = await models.first()
  const likelihoods = await (await models.detector()).identify(clip)
  const isOther = ([code, likelihood]: readonly [string, number]): boolean =>
    !languages.includes(code) && likelihood >= (isKnown(code) ? sureOfOther : sureOfForeign)
  const [found] = Object.entries(likelihoods).find(isOther) ?? []
  return found === undefined || isKnown(found) ? found : foreign
}

function isKnown(code: string): boolean {
  return languageCodes.some((known) => known === code)
}

function silenced(transcript: Transcript, flag: string): Transcript {
  return { ...transcript, text: '', words: [], flags: [...transcript.flags, flag] }
}

async function ask(recogniser: Recogniser, { clip, language, ...options }: Task): Promise<Routed> {
  const known = language !== undefined && recogniser.languages.includes(language)
  const transcript = await transcribeInPieces(recogniser, clip, {
    ...(known && { language }),
    ...(options.hotwords && { hotwords: options.hotwords }),
    ...(options.vocabulary && { vocabulary: options.vocabulary }),
    ...(options.signal && { signal: options.signal }),
    ...(options.speech && { speech: options.speech }),
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

/** Voice activity took the clip for speech: who hears no word in it, and gives no reason, is doubted like poor words. */
function isDoubtful(transcript: Transcript): boolean {
  const isExplained = transcript.words.length === 0 && transcript.flags.length > 0
  return !isExplained && scoreOf(transcript) < doubtful
}

/** What nobody could make sense of is said to be so, or, when it is hardly speech at all, left out. */
function mark(routed: Routed): Routed {
  const { transcript, model } = routed
  const score = scoreOf(transcript)
  if (score >= doubtful || transcript.words.length === 0) return routed
  const isNoise = score < worthless || (transcript.noSpeech > speechless && score < doubtful)
  return {
    model,
    transcript: isNoise
      ? silenced(transcript, 'not speech')
      : { ...transcript, flags: [...transcript.flags, 'doubtful'] },
  }
}

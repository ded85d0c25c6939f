import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { englishInLatin } from '../text/code-mixed.ts'
import { sentencesOf } from '../transcript/sentences.ts'
import { partsBetween } from './apart.ts'
import { isDoubtful } from './doubt.ts'
import { isForeseen } from './foreseen.ts'
import type { ForeseenStretch } from './foreseen.ts'
import type { Transcript, Word } from './recogniser.ts'
import { isSameSpeech, splice } from './splice.ts'
import { stretchesOf } from './stretches.ts'
import type { Stretch } from './stretches.ts'
import { askRecogniser } from './task.ts'
import type { Routed, RouterModels, Task } from './task.ts'

type StretchSpan = Pick<Stretch, 'start' | 'end'>

/** A stretch as somebody heard it again; times of the words are since its start. */
interface HeardStretch extends StretchSpan {
  readonly transcript: Transcript
}

/** One that was foreseen, and is already being heard. */
interface HeardAhead {
  readonly foreseen: ForeseenStretch
  readonly heard: Promise<HeardStretch>
}

export function hearAhead(models: RouterModels, task: Task): HeardAhead | undefined {
  const { foreseen } = task
  if (!foreseen || task.language !== undefined) return undefined
  const { language, start } = foreseen
  const heard = transcribeStretch(models, { ...task, language }, { start, end: secondsIn(task) })
  heard.catch(() => undefined) // nobody may ever want it
  return { foreseen, heard }
}

/** Stretches in a language that somebody hears better; what they cannot have heard right stays as it was heard first. */
export async function transcribeAgain(
  models: RouterModels,
  task: Task,
  { first, ahead }: { readonly first: Routed; readonly ahead: HeardAhead | undefined },
): Promise<Routed> {
  let words = await transcribeApart(models, task, first.transcript)
  for (const language of models.again)
    // the last comes first: those before it keep their numbers
    for (const stretch of stretchesOf(words, language, secondsIn(task)).reverse()) {
      const isAhead = ahead && isForeseen(ahead.foreseen, { ...stretch, language }, secondsIn(task))
      const heard = isAhead ? ahead.heard : transcribeStretch(models, { ...task, language }, stretch)
      const inTime = await heard.catch((error: unknown) => {
        if (task.late?.aborted !== true) throw error
      })
      if (!inTime || !isBetter(words.slice(stretch.first, stretch.last + 1), inTime.transcript)) continue
      const { transcript, ...span } = inTime
      const again = transcript.words.map((word) => ({ ...word, language }))
      words = splice(words, { ...stretch, ...span }, again)
    }
  const own = words.map((word) => (word.model === undefined ? { ...word, model: first.model } : word))
  return { ...first, transcript: transcriptOf(first.transcript, own) }
}

/** What stands apart from those stretches is heard again by the first, without their company: it hears one voice better than two. */
async function transcribeApart(models: RouterModels, task: Task, { words }: Transcript): Promise<readonly Word[]> {
  let heard = words
  for (const part of partsBetween(words, models.again, secondsIn(task)).reverse()) {
    const { transcript } = await askRecogniser(await models.first(), within(task, part))
    const again = withEnglishInLatin(transcript)
    if (isBetter(words.slice(part.first, part.last + 1), again)) heard = splice(heard, part, again.words)
  }
  return heard
}

async function transcribeStretch(
  models: RouterModels,
  task: Task & { readonly language: string },
  { start, end }: StretchSpan,
): Promise<HeardStretch> {
  const { transcript, model } = await askRecogniser(
    await models.recogniser(task.language),
    within({ ...task, ...stoppedBy(task) }, { start, end }),
  )
  const words = transcript.words.map((word) => ({ ...word, model }))
  return { transcript: { ...transcript, words }, start, end }
}

function stoppedBy({ signal, late }: Task): Pick<Task, 'signal'> {
  const signals = [signal, late].filter((one) => one !== undefined)
  if (signals.length < 2) return signals[0] ? { signal: signals[0] } : {}
  return { signal: AbortSignal.any(signals) }
}

function within<Whole extends Task>(task: Whole, stretch: StretchSpan): Whole {
  const [from, to] = [Math.round(stretch.start * recogniserRate), Math.round(stretch.end * recogniserRate)]
  const speech = (task.speech ?? [])
    .map(({ start, end }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from }))
    .filter(({ start, end }) => start < end)
  return { ...task, clip: task.clip.subarray(from, to), speech }
}

function secondsIn({ clip }: Task): number {
  return clip.length / recogniserRate
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

/** Only where the recogniser tells languages apart word by word: others write what they mean to. */
export function withEnglishInLatin(transcript: Transcript): Transcript {
  const words = sentencesOf(transcript.words).flatMap((sentence) => {
    const texts = englishInLatin(sentence.map(({ text }) => text))
    return sentence.map((word, at) =>
      word.language === undefined || texts[at] === word.text ? word : { ...word, text: texts[at]!, language: 'en' },
    )
  })
  return { ...transcript, words, text: words.map(({ text }) => text).join(' ') }
}

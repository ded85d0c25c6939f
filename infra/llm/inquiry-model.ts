import type { ConversationModel } from '../../actors/conversation/ports.ts'
import { terminal } from '../../actors/failure.ts'
import type { InquiryModel, InquiryQuestion } from '../../actors/inquiry/ports.ts'
import { inquiryLimits } from '../../actors/inquiry/state.ts'
import type { InquiryAnswer, TranslatedLine } from '../../actors/inquiry/state.ts'
import { askForJson } from './ask-for-json.ts'
import {
  answerForm,
  chaptersForm,
  chaptersOf,
  passagesOfLines,
  summaryForm,
  translationForm,
} from './inquiry-answers.ts'
import type { FoundAnswer } from './inquiry-answers.ts'
import type { Prompts } from './prompts.ts'
import { partsOf, transcriptParts } from './transcript-parts.ts'
import type { NumberedLine } from './transcript-parts.ts'

interface InquiryModelOptions {
  readonly name: string
  readonly model: ConversationModel
  readonly prompts: Prompts
  /** Sent at once. */
  readonly partCharacters: number
  /** Of a whole transcript. */
  readonly mostCharacters: number
}

interface Reading extends InquiryModelOptions, InquiryQuestion {
  readonly parts: readonly (readonly NumberedLine[])[]
  readonly signal: AbortSignal
}

/** A transcript that is too long for one question is read part by part, and what was found is read once more. */
export function inquiryModel(options: InquiryModelOptions): InquiryModel {
  return {
    name: options.name,
    async answer(question, signal) {
      checkLength(question, options)
      const parts = transcriptParts(question.lines, options.partCharacters)
      const reading = { ...options, ...question, parts, signal }
      if (parts.length === 0) return nothingSaid(question)
      if (question.kind === 'summary') return { kind: 'summary', text: await summarise(reading) }
      if (question.kind === 'chapters') return { kind: 'chapters', chapters: await findChapters(reading) }
      if (question.kind === 'translation') return { kind: 'translation', lines: await translate(reading) }
      return findAnswer(reading)
    },
  }
}

function checkLength({ lines }: InquiryQuestion, { mostCharacters }: InquiryModelOptions): void {
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0)
  if (characters <= mostCharacters) return
  throw terminal(
    'too_large',
    `The transcript has ${characters} characters, and a chat model is asked about ${mostCharacters} at most. The operator can raise INQUIRY_MAX_CHARACTERS.`,
  )
}

function nothingSaid({ kind }: InquiryQuestion): InquiryAnswer {
  if (kind === 'question') return { kind, isAnswered: false, text: '', sources: [] }
  throw terminal('conflict', 'Nothing was said in this recording, so there is nothing to write about it.')
}

async function summarise({ parts, ...reading }: Reading): Promise<string> {
  let texts: string[] = []
  for (const transcript of parts) texts.push(await summaryOf(reading, 'summary', { transcript }))
  while (texts.length > 1) {
    const joined: string[] = []
    for (const summaries of groupsOf(texts, reading.partCharacters))
      joined.push(summaries.length === 1 ? summaries[0]! : await summaryOf(reading, 'summary-of-parts', { summaries }))
    texts = joined
  }
  return texts[0]!
}

async function summaryOf(
  { model, prompts, signal }: Omit<Reading, 'parts'>,
  prompt: 'summary' | 'summary-of-parts',
  document: object,
): Promise<string> {
  const request = { instructions: prompts[prompt], document, form: summaryForm, what: 'a summary', signal }
  return (await askForJson(model, request)).summary
}

async function findChapters({ model, prompts, parts, lines, signal }: Reading) {
  const most = Math.max(1, Math.floor(inquiryLimits.chapters / parts.length))
  const found: { line: number; title: string }[] = []
  for (const transcript of parts) {
    const { chapters } = await askForJson(model, {
      instructions: prompts.chapters,
      document: { chapters_max: most, transcript },
      form: chaptersForm(new Set(transcript.map(({ line }) => line))),
      what: 'chapters of this transcript',
      signal,
    })
    found.push(...chapters.slice(0, most))
  }
  return chaptersOf(found, lines)
}

/** It is about as long as what it is made of, and has to fit an answer. */
const partsForTranslation = 3

async function translate({ model, prompts, lines, partCharacters, signal }: Reading): Promise<TranslatedLine[]> {
  const texts = new Map<number, string>()
  for (const transcript of transcriptParts(lines, Math.ceil(partCharacters / partsForTranslation))) {
    const { translations } = await askForJson(model, {
      instructions: prompts.translation,
      document: { transcript },
      form: translationForm(new Set(transcript.map(({ line }) => line))),
      what: 'a translation of every line',
      signal,
    })
    for (const { line, text } of translations) texts.set(line, text)
  }
  return lines.map(({ start, end }, at) => ({ start, end, text: texts.get(at + 1) ?? '' }))
}

async function findAnswer(reading: Reading): Promise<InquiryAnswer> {
  const { parts, question, partCharacters } = reading
  let found: FoundAnswer[] = []
  for (const transcript of parts) {
    const known = transcript.map(({ line }) => line)
    found.push(await answerFrom(reading, { prompt: 'question', document: { question, transcript }, known }))
  }
  found = found.filter(({ answered }) => answered)
  while (found.length > 1) {
    const joined: FoundAnswer[] = []
    for (const group of groupsOf(found, partCharacters)) {
      const notes = group.map(({ answer: text, lines }) => ({ text, lines }))
      const known = group.flatMap(({ lines }) => lines)
      const document = { question, notes }
      joined.push(
        group.length === 1 ? group[0]! : await answerFrom(reading, { prompt: 'question-of-parts', document, known }),
      )
    }
    found = joined.filter(({ answered }) => answered)
  }
  const [answer] = found
  const sources = passagesOfLines(answer?.lines ?? [], reading.lines)
  return { kind: 'question', isAnswered: answer !== undefined, text: answer?.answer ?? '', sources }
}

async function answerFrom(
  { model, prompts, signal }: Reading,
  input: {
    readonly prompt: 'question' | 'question-of-parts'
    readonly document: object
    readonly known: readonly number[]
  },
): Promise<FoundAnswer> {
  const { prompt, document, known } = input
  const form = answerForm(new Set(known))
  return askForJson(model, { instructions: prompts[prompt], document, form, what: 'an answer from it', signal })
}

/** Two in each at least, whatever their length: so there are fewer afterwards. */
function groupsOf<Item>(items: readonly Item[], partCharacters: number): Item[][] {
  const groups = partsOf(items, partCharacters)
  if (groups.length < items.length) return groups
  return Array.from({ length: Math.ceil(items.length / 2) }, (_, at) => items.slice(2 * at, 2 * at + 2))
}

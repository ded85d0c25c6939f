import type { FileResult, SpokenWord } from '../../actors/transcript/state.ts'
import type { NamedExamples } from '../route.ts'
import { transcriptionForm, transcriptionForms } from './form.ts'
import {
  presentDiarized,
  presentPlain,
  presentTranslation,
  presentVerbose,
  presentVerboseTranslation,
} from './present.ts'

/** What is answered to the forms that are shown, made as every answer is. */

const words: readonly SpokenWord[] = [
  { word: 'कल', start: 0.12, end: 0.4, language: 'hi', confidence: 0.98 },
  { word: 'meeting', start: 0.46, end: 0.94, language: 'en', confidence: 0.96 },
  { word: 'है', start: 1, end: 1.2, language: 'hi', confidence: 0.99 },
]
const text = 'कल meeting है।'
const said: FileResult = {
  text,
  language: 'hi',
  languages: [],
  duration_seconds: 1.5,
  model: 'hinglish-ctc',
  script: 'mixed',
  warnings: [],
  segments: [
    {
      start: 0.12,
      end: 1.2,
      text,
      language: 'hi',
      confidence: 0.97,
      words,
      tags: [],
      model: 'hinglish-ctc',
      speech_information: {
        timestamps: { start: 0.12, end: 1.2 },
        speaker_id: 'speaker_1',
        speaker_confidence: 0.9,
        loudness_db: -21,
        pitch_hz: 190,
        syllables_per_second: 4.5,
      },
    },
  ],
}
const english: FileResult = {
  ...said,
  text: 'The meeting is tomorrow.',
  segments: said.segments.map((segment) => ({ ...segment, text: 'The meeting is tomorrow.', words: [] })),
}
const translator = 'gpt-4o-mini'

const asked = (name: keyof typeof transcriptionForms) => transcriptionForm.parse(transcriptionForms[name].value)

export const transcriptionAnswers = {
  text: { summary: transcriptionForms.text.summary, value: presentPlain(said, asked('text')) },
  words: { summary: transcriptionForms.words.summary, value: presentVerbose(said, asked('words')) },
  speakers: { summary: transcriptionForms.speakers.summary, value: presentDiarized(said) },
  certainty: { summary: transcriptionForms.certainty.summary, value: presentPlain(said, asked('certainty')) },
} satisfies NamedExamples

export const translationAnswers = {
  text: { summary: 'the text', value: presentTranslation(english, translator) },
  passages: { summary: 'passages with their times', value: presentVerboseTranslation(english, translator) },
} satisfies NamedExamples

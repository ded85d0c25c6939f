import test from 'ava'

import type { Segment, StoredTranscript } from '../../../actors/transcript/state.ts'
import { rewrite } from '../../../infra/speech/formats/rewrite.ts'

const about = { start: 0, language: 'hi', confidence: 1, tags: [], model: 'm' }

/** As it was punctuated; each word lasts a second. */
function aTranscript(text: string): Omit<StoredTranscript, 'chunks'> {
  const forms = text.split(' ')
  const words = forms.map((form, at) => ({
    word: form.replace(/[.,?।]+$/u, '').toLowerCase(),
    punctuated_word: form,
    start: at,
    end: at + 1,
    language: /\p{Script=Devanagari}/u.test(form) ? 'hi' : 'en',
    confidence: 1,
  }))
  const segment: Segment = { ...about, end: forms.length, text, words }
  const result = {
    text,
    language: 'hi',
    languages: [],
    duration_seconds: forms.length,
    segments: [segment],
    model: 'm',
    script: 'mixed' as const,
    warnings: [],
  }
  return { result, spoken: [words.map(({ word }) => word)], punctuated: [forms] }
}

const cleaned = (text: string): string => rewrite(aTranscript(text), { tags: true, style: 'clean' }).text

for (const [said, clean] of [
  ['Um, I think hmm we go.', 'I think we go.'],
  ['उम्म मैं मैं आ रहा हूँ।', 'मैं आ रहा हूँ।'],
  ['I think I think so.', 'I think so.'],
  ['The the the meeting is at ten, uh.', 'The meeting is at ten.'],
  ['मैंने कल मैंने कल meeting रखी।', 'मैंने कल meeting रखी।'],
  ['Um, the report is done. Uh, what is next?', 'The report is done. What is next?'],
  ['We will um. Then stop.', 'We will. Then stop.'],
] as const)
  test(`"${said}" is cleaned to "${clean}"`, (t) => {
    t.is(cleaned(said), clean)
  })

for (const said of [
  'धीरे धीरे चलो।',
  'वो अलग अलग हैं।',
  'It is very very good.',
  'No no no.',
  'Hmm.',
  'Mhm, हाँ।',
  'It is. It is good.',
  'मैं हूँ। मैं हूँ ना।',
])
  test(`"${said}" stays as it was said`, (t) => {
    t.is(cleaned(said), said)
  })

test('times are those of the words that stay, in every script and with figures', (t) => {
  const transcript = aTranscript('उम्म पच्चीस पच्चीस लोग, umm, लोग थे।')
  const { segments } = rewrite(transcript, { tags: true, style: 'clean', script: 'latin', numerals: 'true' })
  t.deepEqual(
    segments[0]?.words.map(({ start }) => start),
    [1, 2, 3, 5, 6],
  )
  t.notRegex(segments[0]!.text, /um/i)
  t.is(rewrite(transcript, { tags: true }).text, transcript.result.text)
})

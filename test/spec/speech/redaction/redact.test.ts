import test from 'ava'

import { redactionKinds } from '../../../../actors/transcript/state.ts'
import type { Segment, StoredTranscript } from '../../../../actors/transcript/state.ts'
import { renderText } from '../../../../infra/speech/formats/render.ts'
import { rewrite } from '../../../../infra/speech/formats/rewrite.ts'
import { redact } from '../../../../infra/speech/redaction/redact.ts'

type Transcript = Omit<StoredTranscript, 'chunks'>

/** Sentences of a second a word, one after another, each perhaps of a channel of its own. */
function said(...sentences: readonly (string | readonly [channel: number, text: string])[]): Transcript {
  const segments = sentences.map((sentence, at): Segment => {
    const [channel, text] = typeof sentence === 'string' ? [undefined, sentence] : sentence
    const words = text.split(' ').map((form, word) => ({
      word: form.replace(/[.,।?]$/u, ''),
      punctuated_word: form,
      start: at * 100 + word,
      end: at * 100 + word + 0.5,
      language: /[\u0900-\u097f]/u.test(form) ? 'hi' : 'en',
      confidence: 0.9,
    }))
    const [start, end] = [words[0]!.start, words.at(-1)!.end]
    const told = { start, end, text, language: 'hi', confidence: 0.9, words, tags: [], model: 'm' }
    return channel === undefined ? told : { ...told, channel }
  })
  const texts = segments.map(({ words }) => words)
  return {
    result: {
      text: segments.map(({ text }) => text).join(' '),
      language: 'hi',
      languages: [{ code: 'hi', share: 1 }],
      duration_seconds: sentences.length * 100,
      segments,
      model: 'm',
      script: 'mixed',
      warnings: [],
    },
    spoken: texts.map((words) => words.map(({ word }) => word)),
    punctuated: texts.map((words) => words.map(({ word, punctuated_word: form = word }) => form)),
  }
}

test('a mark takes the place of the words of a number, and their time', (t) => {
  const { result, spoken, punctuated } = redact(said('मेरा नंबर नौ आठ सात छह पाँच चार तीन दो एक शून्य। ठीक है।'), ['phone'])
  t.is(result.text, 'मेरा नंबर [phone]। ठीक है।')
  t.like(result.segments[0]!.words[2], { word: '[phone]', punctuated_word: '[phone]।', start: 2, end: 11.5 })
  t.deepEqual(spoken, [['मेरा', 'नंबर', '[phone]', 'ठीक', 'है']])
  t.deepEqual(punctuated, [['मेरा', 'नंबर', '[phone]।', 'ठीक', 'है।']])
})

test('a number goes on over pauses, sentences and the seams of chunks', (t) => {
  const { result } = redact(said('it is nine eight seven.', 'six five four three', 'two one zero. Thanks'), ['phone'])
  t.deepEqual(
    result.segments.map(({ text }) => text),
    ['it is [phone].', '[phone]', '[phone]. Thanks'],
  )
})

test('what the other side says between does not hide a number', (t) => {
  const call = said(
    [0, 'nine eight seven six five'],
    [1, 'haan bolo ji main likh raha hoon'],
    [0, 'four three two one zero'],
  )
  t.deepEqual(
    redact(call, ['phone']).result.segments.map(({ text }) => text),
    ['[phone]', 'haan bolo ji main likh raha hoon', '[phone]'],
  )
})

test('a code that one side of a call asks for and the other gives is hidden', (t) => {
  const call = said(
    [0, 'और उसका सीवीवी'],
    [1, 'हाँ वन टू थ्री'],
    [0, 'and the OTP please'],
    [1, 'okay 482 913'],
    [0, 'come to the office in room 404'],
  )
  t.deepEqual(
    redact(call, ['card']).result.segments.map(({ text }) => text),
    ['और उसका सीवीवी', 'हाँ [card]', 'and the OTP please', 'okay [card]', 'come to the office in room 404'],
  )
  t.is(redact(call, ['phone']), call)
})

test('nothing of a number is left in any script, any figures or any form', (t) => {
  const secret = redact(
    said('कार्ड चार एक एक एक एक एक एक एक एक एक एक एक एक एक एक एक है', 'मेल asha@example.com पर'),
    redactionKinds,
  )
  t.notRegex(JSON.stringify(secret), /एक|चार|asha|example/u)
  for (const script of ['native', 'latin', 'mixed'] as const)
    for (const numerals of ['false', 'true', 'devanagari'] as const) {
      const written = rewrite(secret, { script, numerals, tags: true })
      t.true(written.text.includes('[card]') && written.text.includes('[email]'), written.text)
      for (const format of ['text', 'srt', 'vtt'] as const) {
        const rendered = renderText(written, format)
        t.true(rendered.includes('[card]') && rendered.includes('[email]'))
      }
    }
})

test('segments in which nothing is hidden stay the same objects, and a transcript without secrets stays itself', (t) => {
  const transcript = said('hello there', '9876543210')
  t.is(redact(transcript, ['phone']).result.segments[0], transcript.result.segments[0])
  t.is(redact(transcript, ['card']), transcript)
  t.is(redact(transcript, []), transcript)
})

test('what is redacted once stays as it is when it is redacted again', (t) => {
  const once = redact(said('call 98765 43210 or write to asha@example.com', 'ABCPE1234F'), redactionKinds)
  t.is(redact(once, redactionKinds), once)
})

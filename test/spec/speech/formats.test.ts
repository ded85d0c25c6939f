import test from 'ava'
import * as fc from 'fast-check'
import { z } from 'zod'

import type { FileResult, Segment, SpeechInformation, Tag } from '../../../actors/transcript/state.ts'
import { renderedFormats, render, renderText } from '../../../infra/speech/formats/render.ts'
import { rewrite } from '../../../infra/speech/formats/rewrite.ts'
import { cuesOf } from '../../../infra/speech/formats/subtitles.ts'

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

test('text is a line a paragraph, with an empty one between them: a long pause begins a new one', (t) => {
  const result = aResult([said('One two.', 0), said('Three.', 1.5), said('चार।', 9)])
  t.is(render(result, 'text', 'a.wav'), 'One two. Three.\n\nचार।\n')
})

test('another voice begins a new paragraph, and so does the other side of a call', (t) => {
  const [one, other] = [said('Yes.', 0), said('No.', 1.5)]
  t.is(
    render(
      aResult([
        { ...one, channel: 0 },
        { ...other, channel: 1 },
      ]),
      'text',
      '',
    ),
    'channel 0: Yes.\n\nchannel 1: No.\n',
  )
})

test('a paragraph that grew long ends at the next pause between sentences', (t) => {
  const long = Array.from({ length: 124 }, (_, at) => said(`s${at}.`, at / 2))
  t.is(render(aResult(long), 'text', '').split('\n\n').length, 1)
  t.is(render(aResult([...long, said('on.', 62.6)]), 'text', '').split('\n\n').length, 2)
})

test('json is the result with the name of the file, laid out for people', (t) => {
  const result = aResult([said('one', 0)])
  const json = render(result, 'json', 'a.wav')
  t.deepEqual(JSON.parse(json), { filename: 'a.wav', ...result })
  t.true(json.startsWith('{\n  "filename"'))
})

test('ndjson is one line, whatever was said', (t) => {
  const result = aResult([said('a\u2028b\u2029c\nd', 0)])
  const line = render(result, 'ndjson', 'new\nline.wav')
  t.regex(line, /^[^\n\u2028\u2029]+\n$/)
  t.deepEqual(JSON.parse(line), { filename: 'new\nline.wav', ...result })
})

test('an empty result is empty in every format that can be, and valid in the others', (t) => {
  const rendered = renderedFormats.map((format) => [format, render(aResult([]), format, 'a.wav')])
  t.deepEqual(rendered.slice(0, 1), [['text', '']])
  t.deepEqual(rendered.slice(3), [
    ['srt', ''],
    ['vtt', 'WEBVTT\n'],
  ])
  for (const [, json] of rendered.slice(1, 3)) t.is(z.object({ text: z.string() }).parse(JSON.parse(json!)).text, '')
})

test('srt numbers its cues and writes hours, minutes, seconds and thousandths', (t) => {
  t.is(
    render(aResult([said('one two', 1.0004), said('three', 3661.5)]), 'srt', ''),
    '1\n00:00:01,000 --> 00:00:02,000\none two\n\n2\n01:01:01,500 --> 01:01:02,500\nthree\n',
  )
})

test('vtt has its head line and points before the thousandths', (t) => {
  t.is(render(aResult([said('one', 359_999.9996)]), 'vtt', ''), 'WEBVTT\n\n100:00:00.000 --> 100:00:01.000\none\n')
})

test('nothing that was said can start a cue or a tag', (t) => {
  const result = aResult([said('a --> b ---> c <i>d</i> & e', 0)])
  t.is(render(result, 'vtt', '').split('\n').slice(3).join('\n'), 'a -> b -> c &lt;i>d&lt;/i> &amp; e\n')
  t.is(render(result, 'srt', '').split('\n').slice(2).join('\n'), 'a -> b -> c ‹i>d‹/i> & e\n')
  const anything = fc.array(fc.string({ minLength: 1, unit: fc.constantFrom('-', '>', '<', 'a') }), { minLength: 1 })
  fc.assert(
    fc.property(anything, (words) => {
      for (const format of ['srt', 'vtt'] as const) {
        const text = render(aResult([said(words.join(' '), 0)]), format, '')
        t.is(text.split('-->').length - 1, text.match(/^\S+ --> \S+$/gm)!.length)
        t.notRegex(text, /</)
      }
    }),
  )
})

test('a line has at most 42 characters and a cue two lines', (t) => {
  const [first, second] = cuesOf(aResult([said(Array.from({ length: 30 }, () => 'abcdefgh').join(' '), 0, 0.1)]))
  t.deepEqual(
    first!.lines.map(({ length }) => length),
    [35, 35],
  )
  t.is(first!.end, second!.start)
})

test('Devanagari is counted as it is read: a syllable is one', (t) => {
  const word = 'क्षि' // four code points
  const { lines } = cuesOf(aResult([said(Array.from({ length: 21 }, () => word).join(' '), 0, 0.1)]))[0]!
  t.deepEqual(lines, [Array.from({ length: 21 }, () => word).join(' ')])
})

test('a word that is longer than a line is broken, and no letter is lost', (t) => {
  const word = 'नी'.repeat(100)
  const cues = cuesOf(aResult([said(word, 0, 3)]))
  t.is(cues.flatMap(({ lines }) => lines).join(''), word)
  t.is(cues.length, 2)
})

test('a pause in a segment begins a new cue', (t) => {
  const segment = said('one two', 0)
  const [one, two] = segment.words
  const cues = cuesOf(aResult([{ ...segment, words: [one!, { ...two!, start: 4, end: 4.5 }] }]))
  t.deepEqual(
    cues.map(({ start, lines }) => [start, ...lines]),
    [
      [0, 'one'],
      [4, 'two'],
    ],
  )
})

test('one short word stays for a second', (t) => {
  t.like(cuesOf(aResult([said('yes', 3, 0.2)]))[0], { start: 3, end: 4 })
})

test('a cue stays long enough to be read where there is time', (t) => {
  const [cue] = cuesOf(aResult([said('thirty four letters said in a hurry', 0, 0.1), said('later', 20)]))
  t.true(cue!.end >= 35 / 17)
})

test('a word that would flash by is shown together with what follows', (t) => {
  const cues = cuesOf(aResult([said('No.', 0, 0.2), said('Not today.', 0.3, 0.4), said('later', 20)]))
  t.deepEqual(
    cues.map(({ lines }) => lines),
    [['No. Not today.'], ['later']],
  )
})

test('a word whose times are wrong does not stand for ever', (t) => {
  t.like(cuesOf(aResult([said('stuck', 0, 100)]))[0], { start: 0, end: 7 })
})

test('tags are shown where they happen', (t) => {
  const laugh: Tag = { type: 'laughing', start: 0.4, end: 3, confidence: 0.9 }
  const pause: Tag = { type: 'pause', start: 1, end: 9, confidence: 1 }
  const [cue] = cuesOf(aResult([{ ...said('one two', 0), tags: [laugh, pause] }, said('three', 9)]))
  t.deepEqual(cue!.lines, ['one [laughing] two [pause]'])
})

test('where the sides of a call are kept apart, each format for people says who speaks', (t) => {
  const result = aResult([
    { ...said('one two', 0, 1), channel: 0 },
    { ...said('no', 3, 1), channel: 1 },
  ])
  t.is(render(result, 'text', 'a.wav'), 'channel 0: one two\n\nchannel 1: no\n')
  t.regex(render(result, 'srt', 'a.wav'), /\nchannel 0: one two\n\n2\n.*\nchannel 1: no\n$/)
  t.regex(render(result, 'vtt', 'a.wav'), /\n<v channel 0>one two\n\n.*\n<v channel 1>no\n$/)
})

test('people on two channels who speak at once have cues of their own, in order of time', (t) => {
  const cues = cuesOf(
    aResult([
      { ...said('one two three', 0, 3), channel: 0 },
      { ...said('no', 1, 0.1), channel: 1 },
    ]),
  )
  t.deepEqual(
    cues.map(({ start, end, lines }) => [start, end, ...lines]),
    [
      [0, 6, 'one two'],
      [1, 2, 'no'],
      [6, 9, 'three'],
    ],
  )
})

test('voices are named when that is asked for, and a cue never has two of them', (t) => {
  const result = aResult([by('speaker_1', said('No.', 0, 0.2)), by('speaker_2', said('Yes.', 0.3, 0.2))])
  t.is(renderText(result, 'text', { speakers: true }), 'speaker_1: No.\n\nspeaker_2: Yes.\n')
  t.is(renderText(result, 'text'), 'No.\n\nYes.\n')
  t.deepEqual(
    cuesOf(result, { speakers: true }).map(({ label, lines }) => [label, ...lines]),
    [
      ['speaker_1', 'No.'],
      ['speaker_2', 'Yes.'],
    ],
  )
  t.deepEqual(
    cuesOf(result).map(({ lines }) => lines),
    [['No. Yes.']],
  )
  t.regex(renderText(result, 'vtt', { speakers: true }), /<v speaker_1>No\.\n/)
})

test('one transcript is written in each script from the words as they were heard', (t) => {
  const heard = ['मेरा', 'project', 'kahani', 'है']
  const languages = ['hi', 'en', 'hi', 'hi']
  const segment = said('mera project kahaani hai', 0)
  const words = segment.words.map((word, at) => ({ ...word, language: languages[at]! }))
  const result = { ...aResult([{ ...segment, words }]), script: 'latin' } as const
  const inScript = (script: 'native' | 'latin' | 'mixed'): string =>
    rewrite({ result, spoken: [heard] }, { script, tags: true }).text
  t.is(inScript('native'), 'मेरा प्रोजेक्ट कहानी है')
  t.is(inScript('mixed'), 'मेरा project कहानी है')
  t.is(inScript('latin'), 'mera project kahaani hai')
  const native = rewrite({ result, spoken: [heard] }, { script: 'native', tags: true })
  t.is(native.script, 'native')
  t.deepEqual(
    native.segments[0]!.words.map(({ start }) => start),
    words.map(({ start }) => start),
  )
})

test('a transcript that was stored without them is written from the words that it has', (t) => {
  const segment = said('मेरा है', 0)
  const words = segment.words.map((word) => ({ ...word, language: 'hi' }))
  t.is(rewrite({ result: aResult([{ ...segment, words }]) }, { script: 'latin', tags: true }).text, 'mera hai')
})

test('numbers are figures on request, with the times of their words and the marks around them, in every script', (t) => {
  const spoken = 'मेरे पास पाँच सौ रुपये हैं'.split(' ')
  const forms = 'मेरे पास पाँच सौ रुपये, हैं।'.split(' ')
  const words = spoken.map((word, at) => ({ ...aSpoken(word, at), punctuated_word: forms[at]! }))
  const result = { ...aResult([{ ...said('', 0), words, text: forms.join(' ') }]), script: 'native' as const }
  const stored = { result, spoken: [spoken], punctuated: [forms] }
  t.is(rewrite(stored, { tags: true, numerals: 'false' }), result)
  const written = rewrite(stored, { tags: true, numerals: 'true' })
  t.is(written.text, 'मेरे पास ₹500, हैं।')
  t.deepEqual(written.segments[0]!.words[2], {
    word: '₹500',
    punctuated_word: '₹500,',
    start: 2,
    end: 5,
    language: 'und',
    confidence: 1,
  })
  t.is(rewrite(stored, { tags: true, numerals: 'devanagari' }).text, 'मेरे पास ₹५००, हैं।')
  t.is(rewrite(stored, { tags: true, script: 'latin', numerals: 'true' }).text, 'mere paas ₹500, hain.')
})

test('what is left of "पाँच लाख रुपये" lasts as long as all of it', (t) => {
  const spoken = 'पाँच लाख रुपये'.split(' ')
  const words = spoken.map((word, at) => aSpoken(word, at))
  const { segments } = rewrite({ result: aResult([{ ...said('', 0), words }]) }, { tags: true, numerals: 'true' })
  t.deepEqual(
    segments[0]!.words.map(({ word, start, end }) => [word, start, end]),
    [
      ['₹5', 0, 1],
      ['लाख', 1, 3],
    ],
  )
})

test('punctuation survives every script, and subtitles and text show it', (t) => {
  const words = [
    { ...aSpoken('मेरा', 0), punctuated_word: 'मेरा' },
    { ...aSpoken('office', 1, 'en'), punctuated_word: 'Office,' },
    { ...aSpoken('है', 2), punctuated_word: 'है।' },
  ]
  const segment = { ...said('', 0), words, text: 'मेरा Office, है।' }
  const result = { ...aResult([segment]), script: 'mixed' as const }
  const stored = { result, spoken: [['मेरा', 'office', 'है']], punctuated: [['मेरा', 'Office,', 'है।']] }
  const latin = rewrite(stored, { script: 'latin', tags: true })
  t.is(latin.text, 'mera Office, hai.')
  t.deepEqual(
    latin.segments[0]!.words.map(({ word, punctuated_word: form }) => [word, form]),
    [
      ['mera', 'mera'],
      ['office', 'Office,'],
      ['hai', 'hai.'],
    ],
  )
  t.is(rewrite(stored, { script: 'native', tags: true }).text, 'मेरा ऑफिस, है।')
  t.regex(render(result, 'srt', ''), /मेरा Office, है।/)
})

test('without tags there are only words, in the text and in the list', (t) => {
  const laugh: Tag = { type: 'laughing', start: 0.4, end: 3, confidence: 0.9 }
  const result = aResult([{ ...said('one two', 0), text: 'one [laughing] two', tags: [laugh] }])
  const plain = rewrite({ result }, { tags: false })
  t.is(plain.text, 'one two')
  t.deepEqual(plain.segments[0]!.tags, [])
  t.is(rewrite({ result }, { tags: true }), result)
})

test('whatever is said, cues hold every word in order, fit the screen and do not overlap', (t) => {
  const segment = fc.record({
    words: fc.array(fc.string({ unit: fc.constantFrom('a', 'क्षि', '😀'), minLength: 1, maxLength: 60 }), {
      minLength: 1,
    }),
    gap: fc.double({ min: 0, max: 3, noNaN: true }),
    each: fc.double({ min: 0.01, max: 9, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 8 }), (given) => {
      let at = 0
      const segments = given.map(({ words, gap, each }) => {
        const one = said(words.join(' '), (at += gap), each)
        at = one.end
        return one
      })
      const cues = cuesOf(aResult(segments))
      const shown = cues.flatMap(({ lines }) => lines)
      t.is(shown.join('').replaceAll(' ', ''), given.flatMap(({ words }) => words).join(''))
      t.true(shown.every((line) => [...graphemes.segment(line)].length <= 42))
      for (const [index, { start, end, lines }] of cues.entries()) {
        t.true(lines.length <= 2 && start <= end && end - start <= 7 + 1e-9)
        t.true(end <= (cues[index + 1]?.start ?? Infinity))
      }
    }),
  )
})

function aResult(segments: readonly Segment[]): FileResult {
  return {
    text: segments.map(({ text }) => text).join(' '),
    language: 'en',
    languages: [{ code: 'en', share: 1 }],
    duration_seconds: 60,
    segments,
    model: 'model',
    script: 'native',
    warnings: [],
  }
}

function by(speaker: string, segment: Segment): Segment {
  const information: SpeechInformation = {
    timestamps: { start: segment.start, end: segment.end },
    speaker_id: speaker,
    speaker_confidence: 1,
    tone: 'calm',
    tone_confidence: 1,
    loudness_db: -20,
    pitch_hz: null,
    syllables_per_second: 4,
  }
  return { ...segment, speech_information: information }
}

/** Words one after the other, each as long as the last. */
function said(text: string, start: number, secondsAWord = 0.5): Segment {
  const words = text.split(' ').map((word, index) => ({
    word,
    start: start + index * secondsAWord,
    end: start + (index + 1) * secondsAWord,
    language: 'en',
    confidence: 0.9,
  }))
  return { start, end: words.at(-1)!.end, text, language: 'en', confidence: 0.9, words, tags: [], model: 'model' }
}

function aSpoken(word: string, start: number, language = 'hi') {
  return { word, start, end: start + 1, language, confidence: 1 }
}

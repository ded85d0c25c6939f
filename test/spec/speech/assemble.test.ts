import test from 'ava'
import * as fc from 'fast-check'

import { measureChunk } from '../../../infra/speech/analysis/measure.ts'
import type { Word } from '../../../infra/speech/asr/recogniser.ts'
import { assemble } from '../../../infra/speech/transcript/assemble.ts'
import type { Assembly } from '../../../infra/speech/transcript/assemble.ts'
import type { TranscribedChunk, MissingChunk } from '../../../infra/speech/transcript/transcribed-chunk.ts'
import { aTranscript, aWord } from '../../support/recognisers.ts'
import { aTone } from '../../support/samples.ts'

const rate = 16_000

test('a recording without chunks has no text and no language', (t) => {
  t.deepEqual(assemble(anAssembly([], { durationSeconds: 61.23456, warnings: ['cut off'] })), {
    text: '',
    language: 'und',
    languages: [],
    duration_seconds: 61.235,
    segments: [],
    model: '',
    script: 'native',
    warnings: ['cut off'],
  })
})

test('chunks in which nothing was understood leave no segment', (t) => {
  const { text, segments, language } = assemble(anAssembly([heard([0, 10], [])]))
  t.deepEqual({ text, segments, language }, { text: '', segments: [], language: 'und' })
})

test('words are placed in the recording, one segment a sentence', (t) => {
  const { segments, text } = assemble(
    anAssembly([
      heard(
        [10, 20],
        [aWord('good', 0.5, 1), aWord('morning.', 1, 1.5), aWord('How', 1.6, 1.8), aWord('nice', 1.9, 2.2)],
      ),
    ]),
  )
  t.is(text, 'good morning. How nice')
  t.deepEqual(
    segments.map((segment) => [segment.text, segment.start, segment.end]),
    [
      ['good morning.', 10.5, 11.5],
      ['How nice', 11.6, 12.2],
    ],
  )
  t.deepEqual(segments[0]!.words[0], { word: 'good', start: 10.5, end: 11, language: 'en', confidence: 0.9 })
})

test('words that were punctuated are bare on the wire, with their written form beside them, and the text is of those', (t) => {
  const words = [
    { ...aWord('good', 0.5, 1), written: 'Good' },
    { ...aWord('morning', 1, 1.5), written: 'morning.' },
    { ...aWord('how', 1.6, 1.8), written: 'How' },
    { ...aWord('nice', 1.9, 2.2), written: 'nice?' },
  ]
  const { segments, text } = assemble(anAssembly([heard([0, 10], words)]))
  t.is(text, 'Good morning. How nice?')
  t.deepEqual(
    segments.map((segment) => segment.words.map(({ word, punctuated_word: form }) => [word, form])),
    [
      [
        ['good', 'Good'],
        ['morning', 'morning.'],
      ],
      [
        ['how', 'How'],
        ['nice', 'nice?'],
      ],
    ],
  )
})

test('the order in which chunks come does not matter', (t) => {
  const chunks = [
    heard([0, 12], [aWord('one', 1, 2), aWord('two', 10.5, 11.2)], { ownEnd: 11 }),
    heard([10, 22], [aWord('two', 0.5, 1.2), aWord('three', 4, 5)], { ownStart: 11, model: 'other' }),
    heard([30, 40], [aWord('नमस्ते', 1, 2)], { language: 'hi' }),
    heard([5, 15], [aWord('aside', 1, 2)], { channel: 1 }),
  ]
  const expected = assemble(anAssembly(chunks, { channels: 2 }))
  fc.assert(
    fc.property(fc.shuffledSubarray(chunks, { minLength: chunks.length }), (shuffled) => {
      t.deepEqual(assemble(anAssembly(shuffled, { channels: 2 })), expected)
    }),
  )
})

test('what two chunks both heard is written once', (t) => {
  const { text } = assemble(
    anAssembly([
      heard([0, 12], [aWord('all', 9, 9.4), aWord('is', 10.2, 10.5), aWord('well', 11.2, 11.8)], { ownEnd: 11 }),
      heard([10, 20], [aWord('is', 0.2, 0.5), aWord('well', 1.2, 1.8), aWord('today', 2, 2.6)], { ownStart: 11 }),
    ]),
  )
  t.is(text, 'all is well today')
})

test('tags stand in the text where they begin, and again with their times', (t) => {
  const chunk = heard([0, 20], [aWord('that', 1, 1.4), aWord('is', 1.5, 1.7), aWord('funny', 2.5, 3)])
  const laugh = { type: 'laughing', start: 1.9, end: 2.4, confidence: 0.8123456 } as const
  const { segments } = assemble(
    anAssembly([{ ...chunk, measures: { segments: [], laughing: [laugh] }, speech: [span(1, 3), span(5, 6)] }]),
  )
  t.is(segments.length, 2)
  t.is(segments[0]!.text + segments[1]!.text, 'that is [laughing]funny [pause]')
  t.deepEqual(segments[0]!.tags, [{ ...laugh, confidence: 0.812 }])
  t.deepEqual(segments[1]!.tags, [{ type: 'pause', start: 3, end: 5, confidence: 0.7 }])
  t.deepEqual(
    segments.flatMap(({ words }) => words.map(({ word }) => word)),
    ['that', 'is', 'funny'],
  )
})

test('a tag before all words opens the first segment', (t) => {
  const laugh = { type: 'laughing', start: 0.2, end: 0.9, confidence: 0.8 } as const
  const chunk = heard([0, 20], [aWord('well', 1, 1.4)])
  const { text } = assemble(anAssembly([{ ...chunk, measures: { segments: [], laughing: [laugh] } }]))
  t.is(text, '[laughing] well')
})

test('languages are counted word by word, the largest share first', (t) => {
  const { language, languages, segments } = assemble(
    anAssembly([
      heard([0, 10], [aWord('वह', 0, 1), aWord('घर', 1, 2), aWord('गया', 2, 3)], { language: 'hi' }),
      heard([20, 30], [aWord('yesterday', 0, 1)], { language: 'en' }),
    ]),
  )
  t.is(language, 'hi')
  t.deepEqual(languages, [
    { code: 'hi', share: 0.75 },
    { code: 'en', share: 0.25 },
  ])
  t.deepEqual(
    segments.map((segment) => segment.language),
    ['hi', 'en'],
  )
})

test('one decode is rendered in the script that was asked for', (t) => {
  const chunks = [
    heard([0, 10], [aWord('मेरा', 0, 1), aWord('office', 1, 2), aWord('बंद', 2, 3), aWord('है।', 3, 4)], {
      language: 'hi',
    }),
  ]
  const text = (script: Assembly['script']): string => assemble(anAssembly(chunks, { script })).text
  t.is(text('native'), 'मेरा ऑफिस बंद है।')
  t.is(text('mixed'), 'मेरा office बंद है।')
  t.notRegex(text('latin'), /\p{Script=Devanagari}/u)
  t.is(text('latin').split(' ').length, 4)
})

test('channels kept apart say which one each segment is from, in order of time', (t) => {
  const chunks = [
    heard([0, 10], [aWord('hello', 1, 2)]),
    heard([0, 10], [aWord('नमस्ते', 3, 4)], { channel: 1, language: 'hi' }),
  ]
  const { segments } = assemble(anAssembly(chunks, { channels: 2 }))
  t.deepEqual(
    segments.map(({ channel, text, language }) => [channel, text, language]),
    [
      [0, 'hello', 'en'],
      [1, 'नमस्ते', 'hi'],
    ],
  )
})

test('the same word at the same time on two channels is said by two people', (t) => {
  const chunks = [0, 1].map((channel) => heard([0, 10], [aWord('hello', 1, 2)], { channel }))
  t.is(assemble(anAssembly(chunks, { channels: 2 })).text, 'hello hello')
})

test('without channels kept apart, no segment names one', (t) => {
  t.false('channel' in assemble(anAssembly([heard([0, 10], [aWord('hello', 1, 2)])])).segments[0]!)
})

test('the models are named, the one with most words first', (t) => {
  const { model, segments } = assemble(
    anAssembly([
      heard([0, 10], [aWord('a', 1, 2)], { model: 'small' }),
      heard([20, 30], [aWord('b', 1, 2), aWord('c', 2, 3)], { model: 'large' }),
    ]),
  )
  t.is(model, 'large+small')
  t.deepEqual(
    segments.map((segment) => segment.model),
    ['small', 'large'],
  )
})

test('speech information is there when it was asked for, and only then', (t) => {
  const words = [aWord('hello', 0.2, 1.8)]
  const measures = measureChunk(
    { samples: aTone({ hz: 150, seconds: 2 }), startSeconds: 4 },
    [{ start: 0.2, end: 1.8 }],
    words,
  )
  const chunks = [0, 1].map((channel) => ({ ...heard([4, 6], words, { channel }), measures }))
  t.false('speech_information' in assemble(anAssembly([chunks[0]!])).segments[0]!)

  const [first, second] = assemble(anAssembly(chunks, { speechInformation: true, channels: 2 })).segments
  const information = first!.speech_information!
  t.deepEqual(information.timestamps, { start: 4.2, end: 5.8 })
  t.true(Math.abs(information.pitch_hz! - 150) < 5)
  t.true(information.loudness_db < 0)
  t.not(information.speaker_id, second!.speech_information!.speaker_id, 'two sides of a call are two speakers')
})

test('a tone or an accent that would say nothing is left out', (t) => {
  const { speech_information: information } = assemble(anAssembly([aTonal(0)], { speechInformation: true }))
    .segments[0]!
  t.deepEqual(
    Object.keys(information!).filter((name) => /tone|accent/.test(name)),
    [],
  )
})

test('as many speakers are told apart as somebody knows of, but the sides of a call say it themselves', (t) => {
  const speakersOf = (channels: number, speakers?: number): number => {
    const chunks = Array.from({ length: channels }, (_, channel) => [0, 4].map((at) => aTonal(at, channel))).flat()
    const { segments } = assemble(
      anAssembly(chunks, { speechInformation: true, channels, ...(speakers !== undefined && { speakers }) }),
    )
    return new Set(segments.map(({ speech_information: information }) => information!.speaker_id)).size
  }
  t.deepEqual([speakersOf(1), speakersOf(1, 2), speakersOf(2), speakersOf(2, 2)], [1, 2, 2, 2])
})

test('a side of a call is one speaker, also where two voices are heard on it', (t) => {
  const voicesOn = (channel: number) => [0, 4, 8, 12].map((at) => aTonal(at, channel, at < 8 ? 110 : 300))
  const speakersOf = (chunks: readonly TranscribedChunk[], channels: number): (readonly [string, number])[] => {
    const { segments } = assemble(anAssembly(chunks, { speechInformation: true, channels }))
    const told = segments.map(({ speech_information: information }) => information!)
    return [...new Map(told.map(({ speaker_id: id, speaker_confidence: confidence }) => [id, confidence]))]
  }
  t.is(speakersOf(voicesOn(0), 1).length, 2)
  t.deepEqual(speakersOf([...voicesOn(0), ...voicesOn(1)], 2), [
    ['channel_0', 1],
    ['channel_1', 1],
  ])
})

/** Three seconds of one voice, if a tone is one. */
function aTonal(at: number, channel = 0, hz = 150): TranscribedChunk {
  const words = [aWord('hello', 0.2, 2.8)]
  const audio = { samples: aTone({ hz, seconds: 3 }), startSeconds: at }
  return { ...heard([at, at + 3], words, { channel }), measures: measureChunk(audio, words, words) }
}

test('a chunk that nobody could hear is a gap of what it answered for, with its reason', (t) => {
  const { text, gaps } = assemble(
    anAssembly([heard([0, 12], [aWord('one', 1, 2)], { ownEnd: 11 }), heard([20, 30], [aWord('two', 1, 2)])], {
      missing: [
        aMissing([18, 20], { index: 2, reason: 'it hung' }),
        aMissing([10, 18], { index: 1, reason: 'it fell over', ownStart: 11 }),
      ],
    }),
  )
  t.is(text, 'one two')
  t.deepEqual(gaps, [
    { start: 11, end: 18, chunk_index: 1, reason: 'it fell over' },
    { start: 18, end: 20, chunk_index: 2, reason: 'it hung' },
  ])
})

test('where nobody could hear the speech there is no pause', (t) => {
  const before = { ...heard([0, 10], [aWord('one', 1, 2)]), speech: [span(0, 10)] }
  const after = { ...heard([20, 30], [aWord('two', 1, 2)]), speech: [span(20, 30)] }
  t.is(assemble(anAssembly([before, after])).text, 'one [pause] two')
  const missing = [{ ...aMissing([10, 20], {}), speech: [span(10, 20)] }]
  t.is(assemble(anAssembly([before, after], { missing })).text, 'one two')
  const elsewhere = missing.map((one) => ({ ...one, channel: 1 }))
  t.is(assemble(anAssembly([before, after], { missing: elsewhere, channels: 2 })).text, 'one [pause] two')
})

test('passages in doubt are named in the order of time', (t) => {
  const doubtful = [70, 0].map((start) => {
    const chunk = heard([start, start + 5], [aWord('hm', 1, 2)])
    return { ...chunk, transcript: { ...chunk.transcript, flags: ['doubtful'] } }
  })
  t.deepEqual(assemble(anAssembly(doubtful, { warnings: ['cut off'] })).warnings, [
    'cut off',
    'From 0:00 to 0:05 the words are doubtful.',
    'From 1:10 to 1:15 the words are doubtful.',
  ])
})

function aMissing([start, end]: readonly [number, number], input: Partial<Told & MissingChunk>): MissingChunk {
  const { chunk, channel, speech } = heard([start, end], [], input)
  return { chunk, channel, speech, index: input.index ?? 0, reason: input.reason ?? 'it failed' }
}

function anAssembly(chunks: readonly TranscribedChunk[], input: Partial<Assembly> = {}): Assembly {
  return {
    chunks,
    durationSeconds: 60,
    script: 'native',
    channels: 1,
    speechInformation: false,
    warnings: [],
    ...input,
  }
}

interface Told {
  readonly channel?: number
  readonly model?: string
  readonly language?: string
  readonly ownStart?: number
  readonly ownEnd?: number
}

/** Times of the chunk in seconds of the recording, of the words in seconds of the chunk. */
function heard([start, end]: readonly [number, number], words: readonly Word[], told: Told = {}): TranscribedChunk {
  const { channel = 0, model = 'model', language = 'en', ownStart = start, ownEnd = end } = told
  return {
    chunk: { ...span(start, end), ownStart: ownStart * rate, ownEnd: ownEnd * rate },
    channel,
    model,
    transcript: aTranscript(words, { language }),
    speech: [],
    unheard: [],
    measures: { segments: [], laughing: [] },
  }
}

function span(start: number, end: number): { start: number; end: number } {
  return { start: start * rate, end: end * rate }
}

import test from 'ava'
import * as fc from 'fast-check'

import type { Transcript, Word } from '../../../infra/speech/asr/recogniser.ts'
import { lookAgain } from '../../../infra/speech/engine/look-again.ts'
import { assemble } from '../../../infra/speech/transcript/assemble.ts'
import { wordlessSpeech } from '../../../infra/speech/transcript/coverage.ts'
import type { TranscribedChunk } from '../../../infra/speech/transcript/transcribed-chunk.ts'
import { aTranscript, aWord } from '../../support/recognisers.ts'

const rate = 16_000
const clipSeconds = 10
const startSeconds = 100

test('what has words all through is not heard again', async (t) => {
  const { hear, asked } = answering(aTranscript(''))
  const heard = await look(hear, [aWord('one', 0, 5), aWord('two', 5, 10)])
  t.is(heard.transcript.text, 'one two')
  t.deepEqual(heard.unheard, [])
  t.is(asked.length, 0)
})

test('a part without words is heard again by itself, and its words take their place', async (t) => {
  const { hear, asked } = answering(aTranscript([aWord('quiet', 0.5, 1.4), aWord('voice', 1.5, 2.9)]))
  const heard = await look(hear, [aWord('loud', 0, 3), aWord('again', 6, 10)])
  t.is(heard.transcript.text, 'loud quiet voice again')
  t.is(asked[0]!.length, Math.round(6.2 * rate) - Math.round(2.8 * rate))
  const [, quiet] = heard.transcript.words
  t.true(quiet!.start >= 3 && quiet!.end <= 6)
  t.deepEqual(heard.unheard, [])
})

test('words that were heard beside the part are not written twice', async (t) => {
  const { hear } = answering(aTranscript([aWord('loud', 0, 0.15), aWord('quiet', 1, 2), aWord('again', 3.25, 3.4)]))
  t.is((await look(hear, [aWord('loud', 0, 3), aWord('again', 6, 10)])).transcript.text, 'loud quiet again')
})

for (const [what, transcript, reason] of [
  ['nothing', aTranscript(''), 'not understood'],
  ['no speech', aTranscript('', { flags: ['no-speech'] }), 'noise'],
  ['a language that nobody knows', aTranscript('', { flags: ['other-language'] }), 'other language'],
] as const)
  test(`a part in which ${what} is heard the second time is named, with the reason`, async (t) => {
    const { hear } = answering(transcript)
    const { unheard } = await look(hear, [aWord('loud', 0, 3), aWord('again', 6, 10)])
    t.deepEqual(unheard, [{ start: startSeconds + 3, end: startSeconds + 6, reason }])
  })

test('a chunk without any words is not heard again as a whole', async (t) => {
  const { hear, asked } = answering(aTranscript('made up'))
  const { transcript, unheard } = await look(hear, [], { flags: ['no-speech'] })
  t.is(asked.length, 0)
  t.deepEqual(transcript.words, [])
  t.deepEqual(unheard, [{ start: startSeconds, end: startSeconds + clipSeconds, reason: 'noise' }])
})

const times = fc.array(fc.double({ min: 0, max: clipSeconds, noNaN: true }), { maxLength: 12 }).map((all) => {
  const sorted = all.toSorted((one, other) => one - other)
  return sorted.slice(1).map((end, at) => ({ start: sorted[at]!, end }))
})
/** Every second one: words with rests between them. */
const somewhere = times.map((spans) => spans.filter((_, at) => at % 2 === 0))

test('whatever is spoken and whatever recognisers answer, no second of speech is lost without a reason', async (t) => {
  await fc.assert(
    fc.asyncProperty(somewhere, somewhere, somewhere, async (spoken, first, second) => {
      const wordsAt = (spans: typeof first): Word[] => spans.map(({ start, end }) => aWord('word', start, end))
      const { hear } = answering(aTranscript(wordsAt(second)))
      const speech = spoken.map(({ start, end }) => ({ start: sampleAt(start), end: sampleAt(end) }))
      const audio = { ...clip(), speech }
      const transcript = aTranscript(wordsAt(first))
      const looked = await lookAgain(hear, audio, { transcript, model: 'fake' })
      const heard: TranscribedChunk = {
        ...audio,
        channel: 0,
        model: 'fake',
        ...looked,
        measures: { segments: [], laughing: [] },
      }
      const { segments, gaps = [] } = assemble({
        chunks: [heard],
        durationSeconds: startSeconds + clipSeconds,
        script: 'mixed',
        channels: 1,
        speechInformation: false,
        warnings: [],
      })
      const told = [...segments.flatMap(({ words }) => words), ...gaps.map(widened)]
      const inFile = spoken.map(({ start, end }) => ({ start: start + startSeconds, end: end + startSeconds }))
      return wordlessSpeech(inFile, told).length === 0 && gaps.every(({ reason }) => reason !== '')
    }),
    { numRuns: 300, seed: 23 },
  )
  t.pass()
})

/** Times are told to a thousandth. */
function widened({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start: start - 0.001, end: end + 0.001 }
}

function sampleAt(seconds: number): number {
  return Math.round((startSeconds + seconds) * rate)
}

function clip(): { chunk: TranscribedChunk['chunk']; samples: Float32Array } {
  const [start, end] = [startSeconds * rate, (startSeconds + clipSeconds) * rate]
  return { chunk: { start, end, ownStart: start, ownEnd: end }, samples: new Float32Array(end - start) }
}

function look(hear: Hear, words: readonly Word[], input: Partial<Transcript> = {}): ReturnType<typeof lookAgain> {
  const { chunk, samples } = clip()
  const audio = { chunk, samples, speech: [{ start: chunk.start, end: chunk.end }] }
  return lookAgain(hear, audio, { transcript: aTranscript(words, input), model: 'fake' })
}

type Hear = Parameters<typeof lookAgain>[0]

function answering(transcript: Transcript): { hear: Hear; asked: Float32Array[] } {
  const asked: Float32Array[] = []
  const hear: Hear = (samples) => {
    asked.push(samples)
    return Promise.resolve({ transcript, model: 'fake' })
  }
  return { hear, asked }
}

import test from 'ava'
import * as fc from 'fast-check'

import type { Word } from '../../../infra/speech/asr/recogniser.ts'
import { joinChunks } from '../../../infra/speech/transcript/join.ts'
import { planChunks } from '../../../infra/speech/vad/plan.ts'
import type { Chunk } from '../../../infra/speech/vad/plan.ts'

const second = 16_000

test('the words of chunks that do not meet are moved to their place', (t) => {
  const words = joinChunks([
    { chunk: chunk(1, 5), words: [word('a', 0, 1)] },
    { chunk: chunk(7, 9), words: [word('b', 1, 2)] },
  ])
  t.deepEqual(words, [word('a', 1, 2), word('b', 8, 9)])
})

test('a word that both chunks heard appears once', (t) => {
  t.deepEqual(texts(joined([word('a', 8, 8.5), word('b', 9.1, 9.9)], [word('b', 9.15, 9.95), word('c', 10.2, 10.6)])), [
    'a',
    'b',
    'c',
  ])
})

test('a word said twice in a row stays twice', (t) => {
  const left = [word('no', 9.4, 9.6), word('no', 9.65, 9.85)]
  const right = [word('no', 9.42, 9.62), word('no', 9.67, 9.87), word('yes', 10.4, 10.8)]
  t.deepEqual(texts(joined(left, right)), ['no', 'no', 'yes'])
})

test('a word that each chunk places beyond its own side of the cut is not lost', (t) => {
  t.deepEqual(texts(joined([word('wrong', 9.9, 10.2)], [word('right', 9.8, 10.1)])), ['right'])
})

test('a word that each chunk places on its own side of the cut is not doubled', (t) => {
  t.deepEqual(texts(joined([word('wright', 9.7, 10.2)], [word('right', 9.8, 10.3)])), ['wright'])
})

test('where two hearings of a seam differ in time, words still follow each other', (t) => {
  const [, middle, third] = joined(
    [word('a', 9, 9.4), word('b', 9.5, 10.1)],
    [word('b', 9.3, 9.9), word('c', 9.95, 10.4)],
  )
  t.is(third!.text, 'c')
  t.true(third!.start >= middle!.end && third!.end === 10.4)
})

test('a chunk that heard nothing leaves the words of the other', (t) => {
  t.deepEqual(texts(joined([], [word('b', 9.5, 9.8)])), ['b'])
  t.deepEqual(texts(joined([word('a', 9.5, 9.8)], [])), ['a'])
})

test('a monologue cut anywhere and heard with shaky times comes back word for word', (t) => {
  const comesBack = fc.property(
    aMonologue(),
    fc.float32Array({ min: 0, max: 1, noNaN: true, minLength: 2000, maxLength: 9000 }),
    fc.integer(),
    (truth, energy, seed) => {
      const random = lcg(seed)
      const end = Math.ceil((truth.at(-1)?.end ?? 0) * second)
      const chunks = planChunks([{ start: 0, end }], energy, {
        windowSeconds: 15,
        overlapSeconds: 2,
        maxSilenceSeconds: 4,
      })
      const heard = chunks.map((piece) => ({ chunk: piece, words: hear(truth, piece, random) }))
      const words = joinChunks(heard)
      return texts(words).join(' ') === texts(truth).join(' ') && areNearlyRight(words, truth)
    },
  )
  t.notThrows(() => fc.assert(comesBack, { numRuns: 500 }))
})

function areNearlyRight(words: readonly Word[], truth: readonly Word[]): boolean {
  return words.every((heard, i) => Math.abs(heard.start - truth[i]!.start) < 0.2 && heard.end >= heard.start - 0.12)
}

/** What a recogniser makes of a chunk: times up to 60 ms off, and words cut by an edge come out as something else. */
function hear(truth: readonly Word[], { start, end }: Chunk, random: () => number): Word[] {
  const [from, to] = [start / second, end / second]
  return truth
    .filter((spoken) => spoken.end > from + 0.05 && spoken.start < to - 0.05)
    .map((spoken) => {
      const whole = spoken.start >= from && spoken.end <= to
      const shake = () => (random() - 0.5) * 0.12
      return {
        text: whole ? spoken.text : `${spoken.text}…`,
        start: Math.max(spoken.start, from) - from + shake(),
        end: Math.min(spoken.end, to) - from + shake(),
        confidence: 1,
      }
    })
}

/** Words of 0.12 to 0.7 s from a small vocabulary, so that many are said twice in a row. */
function aMonologue(): fc.Arbitrary<Word[]> {
  const spoken = fc.record({
    text: fc.constantFrom('a', 'b', 'c', 'd'),
    gap: fc.integer({ min: 0, max: 120 }),
    length: fc.integer({ min: 120, max: 700 }),
  })
  return fc.array(spoken, { minLength: 20, maxLength: 200 }).map((parts) => {
    let at = 0
    return parts.map(({ text, gap, length }) => {
      const start = at + gap
      at = start + length
      return word(text, start / 1000, at / 1000)
    })
  })
}

/** Two chunks of one monologue that was cut at 10 s: the left one hears up to 11 s, the right one from 9 s on. */
function joined(left: readonly Word[], right: readonly Word[]): Word[] {
  return joinChunks([
    { chunk: { ...chunk(0, 11), ownEnd: 10 * second }, words: left },
    {
      chunk: { ...chunk(9, 20), ownStart: 10 * second },
      words: right.map((spoken) => ({ ...spoken, start: spoken.start - 9, end: spoken.end - 9 })),
    },
  ])
}

function chunk(from: number, to: number): Chunk {
  return { start: from * second, end: to * second, ownStart: from * second, ownEnd: to * second }
}

function word(text: string, start: number, end: number): Word {
  return { text, start, end, confidence: 1 }
}

function texts(words: readonly Word[]): string[] {
  return words.map(({ text }) => text)
}

function lcg(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

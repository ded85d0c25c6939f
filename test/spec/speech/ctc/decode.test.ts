import test from 'ava'
import * as fc from 'fast-check'

import { align } from '../../../../infra/speech/asr/ctc/align.ts'
import { beamDecoder, defaultBeamOptions } from '../../../../infra/speech/asr/ctc/beam.ts'
import { decodeGreedily } from '../../../../infra/speech/asr/ctc/greedy.ts'
import { hotwordTree } from '../../../../infra/speech/asr/ctc/hotwords.ts'
import { buildLm } from '../../../../infra/speech/asr/ctc/lm-build.ts'
import { openLm } from '../../../../infra/speech/asr/ctc/lm.ts'
import type { LogProbs } from '../../../../infra/speech/asr/ctc/logits.ts'
import { keepBest } from '../../../../infra/speech/asr/ctc/select.ts'
import { ctcTranscript } from '../../../../infra/speech/asr/ctc/transcript.ts'
import { parseVocabulary, symbolsText } from '../../../../infra/speech/asr/ctc/vocabulary.ts'

const vocabulary = parseVocabulary('["<blank>", " ", "a", "b"]')
const lm = openLm(buildLm(['ab ab ba'], { order: 3 }))
const unweighted = { width: 500, symbolFloor: -Infinity, margin: Infinity, alpha: 0, beta: 0 }

test('a greedy decode merges repeats and drops blanks', (t) => {
  t.deepEqual(decodeGreedily(certain([2, 2, 0, 2, 3, 3, 0]), 0), [2, 2, 3])
})

test('a wide beam without a language model finds the likeliest text of all', (t) => {
  const finds = fc.property(someLogProbs(5), (logProbs) => {
    const found = beamDecoder(vocabulary, lm, unweighted)(logProbs)
    const all = textsOf(logProbs)
    const best = Math.max(...all.values())
    return Math.abs((all.get(found.join()) ?? 0) - best) < 1e-9
  })
  t.notThrows(() => fc.assert(finds, { numRuns: 300 }))
})

test('a wide beam with a language model finds the text with the best score of both', (t) => {
  const options = { ...unweighted, alpha: 0.7, beta: 1.5 }
  const finds = fc.property(someLogProbs(5), (logProbs) => {
    const found = beamDecoder(vocabulary, lm, options)(logProbs)
    const scores = new Map(
      Array.from(textsOf(logProbs), ([text, probability]) => [text, Math.log(probability) + prior(text, options)]),
    )
    return Math.abs(scores.get(found.join())! - Math.max(...scores.values())) < 1e-9
  })
  t.notThrows(() => fc.assert(finds, { numRuns: 300 }))
})

test('the limits of the default beam cost next to nothing', (t) => {
  const close = fc.property(someLogProbs(6), (logProbs) => {
    const { alpha, beta } = defaultBeamOptions
    const narrow = beamDecoder(vocabulary, lm)(logProbs)
    const wide = beamDecoder(vocabulary, lm, { ...unweighted, alpha, beta })(logProbs)
    const all = textsOf(logProbs)
    const score = (found: number[]) => Math.log(all.get(found.join())!) + prior(found.join(), { alpha, beta })
    return score(wide) - score(narrow) < 0.1
  })
  t.notThrows(() => fc.assert(close, { numRuns: 100 }))
})

test('a decoder that was used before decodes like a new one', (t) => {
  const used = beamDecoder(vocabulary, lm)
  used(certain([2, 3, 0, 2, 1, 3]), { hotwords: ['ab'] })
  const logProbs = certain([3, 1, 2])
  t.deepEqual(used(logProbs), beamDecoder(vocabulary, lm)(logProbs))
})

test('the language model decides between letters that sound alike', (t) => {
  const likesAb = openLm(
    buildLm(
      Array.from({ length: 20 }, () => 'ab ab ab'),
      { order: 4 },
    ),
  )
  const doubtful = probabilities([
    [0.05, 0.05, 0.85, 0.05],
    [0.02, 0.02, 0.5, 0.46],
  ])
  const found = beamDecoder(vocabulary, likesAb)(doubtful)
  t.is(symbolsText(vocabulary, found), 'ab')
})

test('a hotword wins against a close rival, and is not written where it was not said', (t) => {
  const neutral = openLm(buildLm(['ab aa ba bb'], { order: 1 }))
  const decode = beamDecoder(vocabulary, neutral)
  const doubtful = probabilities([
    [0.02, 0.02, 0.94, 0.02],
    [0.9, 0.02, 0.04, 0.04],
    [0.05, 0.05, 0.52, 0.38],
  ])
  t.is(symbolsText(vocabulary, decode(doubtful)), 'aa')
  t.is(symbolsText(vocabulary, decode(doubtful, { hotwords: ['ab'] })), 'ab')
  t.is(symbolsText(vocabulary, decode(certain([2, 0, 2, 0, 0]), { hotwords: ['ab'] })), 'aa')
  t.is(symbolsText(vocabulary, decode(certain([0, 0, 0, 0]), { hotwords: ['ab'] })), '')
})

test('a word of a vocabulary counts as its weight says, and not what another vocabulary said before', (t) => {
  const neutral = openLm(buildLm(['ab aa ba bb'], { order: 1 }))
  const decode = beamDecoder(vocabulary, neutral)
  const doubtful = probabilities([
    [0.02, 0.02, 0.94, 0.02],
    [0.9, 0.02, 0.04, 0.04],
    [0.05, 0.05, 0.8, 0.1],
  ])
  const by = (weight: number): string => {
    const words = { key: String(weight), words: [{ text: 'ab', weight }] }
    return symbolsText(vocabulary, decode(doubtful, { hotwords: [], vocabulary: words }))
  }
  t.deepEqual([by(2), by(0), by(0.1), by(2)], ['ab', 'aa', 'aa', 'ab'])
})

test('a hotword is awaited in both scripts, Latin letters small', (t) => {
  const both = parseVocabulary(JSON.stringify(['<blank>', ' ', ...new Set("मीटिंगवाकतaeginmtvkw'")]))
  for (const [given, expected] of [
    ['Meeting', ['meeting', 'मीटिंग']],
    ['मीटिंग', ['meeting', 'मीटिंग']],
    ['VAAK', ['vaak', 'वाक']],
    ['वाक मीटिंग', ['वाक मीटिंग', 'vaak meeting']],
    ['Vaak-Meeting', ['vaak meeting', 'वाक मीटिंग']],
  ] as const) {
    const tree = hotwordTree([{ text: given, weight: 1 }], both)
    const follows = (text: string) =>
      Array.from(text).reduce((at, char) => tree.step(at, both.symbols.indexOf(char)), tree.root)
    for (const spelling of expected) t.true(tree.isWhole(follows(spelling)), `${given}: ${spelling}`)
    t.is(follows('गीत'), tree.dead)
  }
})

test('a hotword that was only begun is worth nothing', (t) => {
  const neutral = openLm(buildLm(['ab aa ba bb'], { order: 1 }))
  const rival = probabilities([
    [0.02, 0.02, 0.46, 0.5],
    [0.97, 0.01, 0.01, 0.01],
  ])
  const decode = beamDecoder(vocabulary, neutral)
  t.is(symbolsText(vocabulary, decode(rival, { hotwords: ['abbbb'] })), symbolsText(vocabulary, decode(rival)))
})

test('the alignment is the likeliest path of the sequence', (t) => {
  const likeliest = fc.property(someLogProbs(6), (given) => {
    const sequence = beamDecoder(vocabulary, lm, unweighted)(given)
    const aligned = align(given, sequence, 0)
    const path = Array.from({ length: given.frames }, () => 0)
    for (const { symbol, start, end } of aligned) path.fill(symbol, start, end)
    const score = (symbols: readonly number[]) =>
      symbols.reduce((sum, symbol, frame) => sum + given.data[frame * given.symbols + symbol]!, 0)
    const best = Math.max(
      ...pathsOf(given)
        .filter((each) => collapse(each).join() === sequence.join())
        .map(score),
    )
    return collapse(path).join() === sequence.join() && Math.abs(score(path) - best) < 1e-6
  })
  t.notThrows(() => fc.assert(likeliest, { numRuns: 200 }))
})

test('a sequence that does not fit into the frames has no alignment', (t) => {
  t.deepEqual(align(certain([2]), [2, 3], 0), [])
  t.deepEqual(align(certain([]), [2], 0), [])
})

test('words carry times in order, without overlap, within the clip', (t) => {
  const given = certain([0, 2, 3, 0, 0, 0, 1, 0, 3, 2, 2, 0, 0, 0])
  const sequence = [2, 3, 1, 3, 2]
  const decoded = { logProbs: given, sequence, textLogProbs: sequence.map(() => -1), secondsAFrame: 0.02 }
  const { text, words, confidence } = ctcTranscript(decoded, vocabulary)
  t.is(text, 'ab ba')
  t.deepEqual(
    words.map((word) => word.text),
    ['ab', 'ba'],
  )
  t.true(words[0]!.start >= 0 && words[0]!.end <= words[1]!.start && words[1]!.end <= 14 * 0.02 + 1e-9)
  t.true(words[0]!.start <= 0.02 && words[0]!.end >= 0.06 && words[1]!.start <= 0.16 && words[1]!.end >= 0.22)
  t.true(confidence > 0.9)
})

test('a word is trusted less where the sound is undecided, spells another word, or the text is unlikely', (t) => {
  const sequence = [2, 3]
  const trust = (logProbs: LogProbs, textLogProbs: readonly number[]): number => {
    const { words } = ctcTranscript({ logProbs, sequence, textLogProbs, secondsAFrame: 0.02 }, vocabulary)
    return words[0]!.confidence
  }
  const clear = certain([0, 2, 0, 3, 0])
  const silence = [0.97, 0.01, 0.01, 0.01]
  const undecided = probabilities([silence, [0.01, 0.01, 0.6, 0.38], silence, [0.01, 0.01, 0.38, 0.6], silence])
  const otherwise = probabilities([silence, [0.01, 0.01, 0.97, 0.01], [0.01, 0.01, 0.68, 0.3], silence])
  const usual = trust(clear, [-1, -1])
  t.true(usual > 0.9)
  t.true(trust(undecided, [-1, -1]) < usual)
  t.true(trust(otherwise, [-1, -1]) < usual)
  t.true(trust(clear, [-8, -8]) < usual)
})

test('letters that are nowhere clear are not written: nobody spoke', (t) => {
  const murmur = probabilities(Array.from({ length: 10 }, () => [0.6, 0.1, 0.2, 0.1]))
  const decoded = { logProbs: murmur, sequence: [2, 3], textLogProbs: [-1, -1], secondsAFrame: 0.02 }
  const { text, words, flags, noSpeech } = ctcTranscript(decoded, vocabulary)
  t.deepEqual([text, words, flags], ['', [], ['no-speech']])
  t.true(noSpeech > 0.5)
})

test('the best of many are those that sorting would put first', (t) => {
  const keeps = fc.property(
    fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 200 }),
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 0, max: 120 }),
    (scores, width, margin) => {
      const items = Int32Array.from(scores.keys())
      const kept = new Int32Array(width)
      const count = keepBest({ items, scores: Float64Array.from(scores), size: scores.length }, { width, margin }, kept)
      const got = Array.from(kept.subarray(0, count), (i) => scores[i]!).sort((a, b) => b - a)
      const best = Math.max(...scores)
      const wanted = scores
        .toSorted((a, b) => b - a)
        .filter((score) => score >= best - margin)
        .slice(0, width)
      return got.join() === wanted.join() && new Set(kept.subarray(0, count)).size === count
    },
  )
  t.notThrows(() => fc.assert(keeps, { numRuns: 500 }))
})

test('a vocabulary without blank and space is refused', (t) => {
  t.throws(() => parseVocabulary('["a", "b"]'), { message: /blank and has a space/ })
  t.throws(() => parseVocabulary('{}'))
})

function prior(text: string, { alpha, beta }: { alpha: number; beta: number }): number {
  let state = lm.start
  let sum = 0
  for (const symbol of text.split(',').filter(Boolean).map(Number)) {
    sum += alpha * lm.score(state, lm.symbolOf(vocabulary.symbols[symbol]!)) + beta
    state = lm.next()
  }
  return sum + alpha * lm.score(state, lm.symbolOf(' '))
}

/** The probability of each text: of all paths that collapse to it, summed. */
function textsOf(given: LogProbs): Map<string, number> {
  const all = new Map<string, number>()
  for (const path of pathsOf(given)) {
    const text = collapse(path).join()
    const logProb = path.reduce((sum, symbol, frame) => sum + given.data[frame * given.symbols + symbol]!, 0)
    all.set(text, (all.get(text) ?? 0) + Math.exp(logProb))
  }
  return all
}

function pathsOf({ frames, symbols }: LogProbs): number[][] {
  let paths: number[][] = [[]]
  for (let frame = 0; frame < frames; frame++)
    paths = paths.flatMap((path) => Array.from({ length: symbols }, (_, symbol) => [...path, symbol]))
  return paths
}

function collapse(path: readonly number[]): number[] {
  return path.filter((symbol, i) => symbol !== 0 && symbol !== path[i - 1])
}

function someLogProbs(maxFrames: number): fc.Arbitrary<LogProbs> {
  const row = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
  return fc.array(row, { minLength: 1, maxLength: maxFrames }).map(probabilities)
}

function probabilities(rows: readonly (readonly number[])[]): LogProbs {
  const data = rows.flatMap((row) => {
    const sum = row.reduce((total, value) => total + value, 0)
    return row.map((value) => Math.log(value / sum))
  })
  return { data: Float32Array.from(data), frames: rows.length, symbols: 4 }
}

function certain(path: readonly number[]): LogProbs {
  return probabilities(path.map((symbol) => [0, 1, 2, 3].map((each) => (each === symbol ? 0.997 : 0.001))))
}

import { join } from 'node:path'
import { readFile } from 'node:fs/promises'

import test from 'ava'
import { z } from 'zod'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { alignedResult } from '../../../infra/speech/align/aligned-result.ts'
import { openCtcRecogniser } from '../../../infra/speech/asr/ctc/recogniser.ts'
import { emitChunk } from '../../../infra/speech/engine/emit-chunk.ts'
import { bundledModels } from '../../../infra/speech/models/bundled.ts'
import { speechFixtures, speechFolder } from '../../support/recordings.ts'
import { joinedSamples } from '../../support/samples.ts'

const span = z.object({ text: z.string(), start: z.number(), end: z.number() })
const turns = z.array(z.object({ words: z.array(span) }))
const gapSeconds = 0.5
/** What the voices told is itself true to some hundredths, and a word ends where somebody says it does. */
const medianMaxSeconds = 0.1
const mostMaxSeconds = 0.4

test('words of a text are found where the voices said them, in both languages', async (t) => {
  const folder = join(bundledModels(), 'hinglish-ctc')
  const recogniser = await openCtcRecogniser({
    id: 'base',
    modelPath: join(folder, 'base.int8.onnx'),
    vocabularyPath: join(folder, 'vocab.json'),
    workers: 1,
    threadsEach: 1,
  })
  t.teardown(() => recogniser.close())
  const clips = await speechFixtures('hinglish')
  const truth: { text: string; start: number; end: number }[] = []
  const parts: Float32Array[] = []
  let at = 0
  for (const { name, samples } of clips) {
    const told = turns.parse(
      JSON.parse(await readFile(join(speechFolder('hinglish'), name.replace('.ogg', '.json')), 'utf8')),
    )
    for (const word of told.flatMap(({ words }) => words))
      truth.push({ text: word.text, start: at + word.start, end: at + word.end })
    parts.push(samples, new Float32Array(gapSeconds * recogniserRate))
    at += samples.length / recogniserRate + gapSeconds
  }
  const samples = joinedSamples(parts)
  const speech = spansOf(clips.map((clip) => clip.samples.length))
  const chunk = { start: 0, end: samples.length, ownStart: 0, ownEnd: samples.length }
  const { emissions = [] } = await emitChunk(
    recogniser,
    { chunk, channel: 0, samples, speech },
    new AbortController().signal,
  )
  const result = alignedResult({
    saidText: clips.map(({ text }) => text).join('\n'),
    emissions,
    durationSeconds: samples.length / recogniserRate,
    model: recogniser.id,
    script: 'mixed',
    warnings: [],
  })
  const words = result.segments.flatMap((segment) => segment.words)
  t.is(words.length, truth.length)
  const found = words.filter(({ interpolated }) => !interpolated)
  t.true(found.length >= 0.95 * words.length, `${found.length} of ${words.length}`)
  const errors = words
    .flatMap(({ start, end }, word) => [Math.abs(start - truth[word]!.start), Math.abs(end - truth[word]!.end)])
    .sort((one, other) => one - other)
  t.true(errors[Math.floor(errors.length / 2)]! < medianMaxSeconds, `${errors[Math.floor(errors.length / 2)]}`)
  t.true(errors[Math.floor(errors.length * 0.95)]! < mostMaxSeconds, `${errors[Math.floor(errors.length * 0.95)]}`)
})

function spansOf(lengths: readonly number[]): { start: number; end: number }[] {
  let start = 0
  return lengths.map((length) => {
    const own = { start, end: start + length }
    start = own.end + gapSeconds * recogniserRate
    return own
  })
}

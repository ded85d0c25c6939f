import { join } from 'node:path'

import test from 'ava'

import { openCtcRecogniser } from '../../../infra/speech/asr/ctc/recogniser.ts'
import { bundledModels } from '../../../infra/speech/models/bundled.ts'
import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import { joinChunks } from '../../../infra/speech/transcript/join.ts'
import { energyOf } from '../../../infra/speech/vad/energy.ts'
import { defaultPlanOptions, planChunks } from '../../../infra/speech/vad/plan.ts'
import { speechSpans } from '../../../infra/speech/vad/segments.ts'
import { openSilero, speechProbabilities } from '../../../infra/speech/vad/silero.ts'
import { aFetchedModel } from '../../support/models.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { joinedSamples } from '../../support/samples.ts'

test('a long recording is cut, recognised and joined into the words of its parts, in order', async (t) => {
  const silero = await aFetchedModel('silero-vad')
  const vad = await openSilero({ modelPath: silero.files['silero_vad_v6.onnx']! })
  t.teardown(() => vad.close())
  const folder = join(bundledModels(), 'hinglish-ctc')
  const recogniser = await openCtcRecogniser({
    id: 'vaak-hinglish-base',
    workers: 2,
    threadsEach: 1,
    modelPath: join(folder, 'base.int8.onnx'),
    vocabularyPath: join(folder, 'vocab.json'),
    lmPath: join(folder, 'lm.bin'),
  })
  t.teardown(() => recogniser.close())

  const clips = await speechFixtures()
  const recording = joinedSamples(Array.from({ length: 4 }, () => clips.map(({ samples }) => samples)).flat())
  const spans = speechSpans(await speechProbabilities(vad, recording), recording.length)
  const chunks = planChunks(spans, energyOf(recording), {
    ...defaultPlanOptions,
    windowSeconds: recogniser.windowSeconds,
  })
  const heard = await recogniser.transcribe(
    chunks.map(({ start, end }) => recording.subarray(start, end)),
    {},
  )
  const words = joinChunks(chunks.map((chunk, i) => ({ chunk, words: heard[i]!.words })))

  const text = clips.map((clip) => clip.text).join(' ')
  const said = Array.from({ length: 4 }, () => text).join(' ')
  const rates = errorRates([{ said, heard: words.map((word) => word.text).join(' ') }])
  t.true(rates.characterErrorRate < 0.35, `character error rate ${rates.characterErrorRate}`)
  t.true(words.every((word, i) => i === 0 || word.start >= words[i - 1]!.start))
  t.true(words.at(-1)!.end <= recording.length / 16_000 + 0.1)
})

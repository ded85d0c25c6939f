import test from 'ava'
import type { ExecutionContext } from 'ava'

import { resample } from '../../infra/speech/audio/signal/resample.ts'
import { openDetector } from '../../infra/speech/vad/live/detector.ts'
import { defaultSegmentOptions, speechSpans } from '../../infra/speech/vad/segments.ts'
import { openSilero, speechProbabilities } from '../../infra/speech/vad/silero.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { aFetchedModel } from '../support/models.ts'
import { speechFixtures } from '../support/recordings.ts'
import { joinedSamples } from '../support/samples.ts'
import { detectorContract } from './conversation.ts'

const second = 16_000
/** A turn waits longer for its end than a comma lasts. */
const asTurns = { ...defaultSegmentOptions, minSilenceSeconds: 0.7 }

async function modelPath(): Promise<string> {
  return (await aFetchedModel('silero-vad')).files['silero_vad_v6.onnx']!
}

async function aRealDetector(t: ExecutionContext) {
  const detector = openDetector({ modelPath, log: aLog() })
  t.teardown(() => detector.close())
  return detector
}

detectorContract(test, aRealDetector)

for (const rate of [8_000, 24_000])
  test(`where speech is does not depend on the frames that are left out, at ${rate} Hz`, async (t) => {
    const clips = await speechFixtures()
    const recording = joinedSamples(clips.flatMap(({ samples }) => [new Float32Array(2 * second), samples]))
    const vad = await openSilero({ modelPath: await modelPath() })
    t.teardown(() => vad.close())
    const wanted = speechSpans(await speechProbabilities(vad, recording), recording.length, asTurns)

    const detector = await aRealDetector(t)
    const told: number[] = []
    const input = detector.listen(({ probability }) => void told.push(probability), rate)
    const pcm = Int16Array.from(resample(recording, 16_000, rate), (sample) => 32_767 * sample)
    for (let at = 0; at < pcm.length; at += rate / 10) {
      const to = Math.min(at + rate / 10, pcm.length)
      input.push(pcm.subarray(at, to))
      // as audio comes in a session: what was looked at is known before what follows
      await eventually('it is told', () => told.length * 512 >= (to * 16_000) / rate - 1_024)
    }
    input.close()
    const got = speechSpans(Float32Array.from(told), recording.length, asTurns)
    t.is(got.length, wanted.length)
    // a turn has at least as much added before it and waits longer for its end
    for (const [index, { start, end }] of got.entries()) {
      t.true(Math.abs(start - wanted[index]!.start) < 0.3 * second, `start of ${index}`)
      t.true(Math.abs(end - wanted[index]!.end) < 0.3 * second, `end of ${index}`)
    }
  })

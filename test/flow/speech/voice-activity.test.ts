import ort from 'onnxruntime-node'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { energyOf } from '../../../infra/speech/vad/energy.ts'
import { raisedIfFaint } from '../../../infra/speech/vad/faint.ts'
import { planChunks } from '../../../infra/speech/vad/plan.ts'
import { defaultSegmentOptions, speechSpans, vadFrameSamples } from '../../../infra/speech/vad/segments.ts'
import { openSilero, speechProbabilities, vadStream } from '../../../infra/speech/vad/silero.ts'
import type { VoiceActivity } from '../../../infra/speech/vad/silero.ts'
import { aFetchedModel } from '../../support/models.ts'
import { joinedSamples } from '../../support/samples.ts'
import { alternatingFixture, speechFixtures } from '../../support/recordings.ts'

const second = 16_000

test('speech between silences is found, and only there', async (t) => {
  const vad = await anOpenVad(t)
  const clips = await speechFixtures()
  const silence = new Float32Array(3 * second)
  const recording = joinedSamples([silence, ...clips.flatMap(({ samples }) => [samples, silence])])
  const spans = speechSpans(await speechProbabilities(vad, recording), recording.length)
  // padding, and a frame or two of the network
  const margin = 0.75 * second
  let at = silence.length
  for (const { samples, name } of clips) {
    const [from, to] = [at, at + samples.length]
    const within = spans.filter(({ start, end }) => start >= from - margin && end <= to + margin)
    const heard = within.reduce((sum, { start, end }) => sum + end - start, 0)
    t.true(heard > 0.6 * samples.length, `${name}: ${heard} of ${samples.length}`)
    at = to + silence.length
  }
  t.is(planChunks(spans, energyOf(recording)).length, 1)
})

test('every turn of a talk is found, and the pauses between them are none', async (t) => {
  const vad = await anOpenVad(t)
  const { samples, turns } = await alternatingFixture()
  const probabilities = await speechProbabilities(vad, samples)
  const spans = speechSpans(probabilities, samples.length, { ...defaultSegmentOptions, paddingSeconds: 0 })
  const spokenIn = (from: number, to: number): number =>
    spans.reduce(
      (sum, { start, end }) => sum + Math.max(0, Math.min(end / second, to) - Math.max(start / second, from)),
      0,
    )
  for (const [at, { start, end, text }] of turns.entries()) {
    t.true(spokenIn(start, end) > 0.7 * (end - start), text)
    const next = turns[at + 1]?.start
    // voice activity holds on for a moment after the last word
    if (next !== undefined) t.true(spokenIn(end, next) < 0.5 * (next - end), `after ${text}`)
  }
})

for (const [name, audio] of Object.entries(inputsWithoutSpeech()))
  test(`${name} is not speech`, async (t) => {
    const vad = await anOpenVad(t)
    t.deepEqual(speechSpans(await speechProbabilities(vad, audio), audio.length), [])
  })

for (const [name, audio] of Object.entries(inputsWithoutSpeech()))
  test(`${name} from far away, raised to the level of speech, is not speech`, async (t) => {
    const vad = await anOpenVad(t)
    const steps = 2 ** 15
    const far = raised(audio.map((sample) => Math.round(sample * faint * steps) / steps))
    t.deepEqual(speechSpans(await speechProbabilities(vad, far), far.length), [])
  })

test('speech from far away is found where it is found close by', async (t) => {
  const vad = await anOpenVad(t)
  for (const { samples } of await speechFixtures()) {
    const near = speechSpans(await speechProbabilities(vad, samples), samples.length)
    const far = speechSpans(
      await speechProbabilities(vad, raised(samples.map((sample) => sample * faint))),
      samples.length,
    )
    t.is(far.length, near.length)
    for (const [index, { start, end }] of far.entries()) {
      t.true(Math.abs(start - near[index]!.start) <= vadFrameSamples * 4)
      t.true(Math.abs(end - near[index]!.end) <= vadFrameSamples * 4)
    }
  }
})

test('streams that are judged together are judged as if alone', async (t) => {
  const vad = await anOpenVad(t)
  const clips = await speechFixtures()
  const alone: number[][] = []
  for (const { samples } of clips) {
    const stream = vadStream()
    alone.push(await inFrames(samples, async (frame) => (await vad.advance([{ stream, frames: frame }]))[0]!))
  }
  const streams = clips.map(() => vadStream())
  const frames = Math.min(...alone.map(({ length }) => length))
  for (let i = 0; i < frames; i++) {
    const turns = clips.map(({ samples }, k) => ({ stream: streams[k]!, frames: frameAt(samples, i) }))
    const together = await vad.advance(turns)
    together.forEach((likelihood, k) =>
      t.true(Math.abs(likelihood - alone[k]![i]!) < 1e-3, `frame ${i} of stream ${k}`),
    )
  }
})

test('a recording is judged as if frame by frame', async (t) => {
  const vad = await anOpenVad(t)
  const recording = joinedSamples(
    (await speechFixtures()).flatMap(({ samples }) => [samples, new Float32Array(second)]),
  )
  const stream = vadStream()
  const single = await inFrames(recording, async (frame) => (await vad.advance([{ stream, frames: frame }]))[0]!)
  const whole = await speechProbabilities(vad, recording)
  t.is(whole.length, single.length)
  single.forEach((likelihood, i) => t.true(Math.abs(likelihood - whole[i]!) < 1e-3, `frame ${i}`))
})

test('it judges as the published network does', async (t) => {
  const vad = await anOpenVad(t)
  const { files } = await aFetchedModel('silero-vad')
  const published = await ort.InferenceSession.create(files['silero_vad_v6.onnx']!)
  t.teardown(() => published.release())
  const [clip] = await speechFixtures()
  const ours = await speechProbabilities(vad, clip!.samples)
  const rate = new ort.Tensor('int64', BigInt64Array.of(16_000n), [])
  let state: ort.Tensor = new ort.Tensor('float32', new Float32Array(2 * 128), [2, 1, 128])
  let before = new Float32Array(64)
  for (const [i, likelihood] of ours.entries()) {
    const frame = frameAt(clip!.samples, i)
    const input = new ort.Tensor('float32', Float32Array.of(...before, ...frame), [1, 64 + vadFrameSamples])
    const outputs = await published.run({ input, state, sr: rate })
    t.true(Math.abs(Number(outputs['output']!.data[0]) - likelihood) < 1e-3, `frame ${i}`)
    state = outputs['stateN']!
    before = frame.slice(-64)
  }
})

test('a frame of another size is refused', async (t) => {
  const vad = await anOpenVad(t)
  await t.throwsAsync(vad.advance([{ stream: vadStream(), frames: new Float32Array(100) }]), { message: /512 samples/ })
})

async function anOpenVad(t: ExecutionContext): Promise<VoiceActivity> {
  const { files } = await aFetchedModel('silero-vad')
  const vad = await openSilero({ modelPath: files['silero_vad_v6.onnx']! })
  t.teardown(() => vad.close())
  return vad
}

async function inFrames(samples: Float32Array, judge: (frame: Float32Array) => Promise<number>): Promise<number[]> {
  const answers = []
  for (let i = 0; i * vadFrameSamples < samples.length; i++) answers.push(await judge(frameAt(samples, i)))
  return answers
}

function frameAt(samples: Float32Array, index: number): Float32Array {
  const frame = new Float32Array(vadFrameSamples)
  frame.set(samples.subarray(index * vadFrameSamples, (index + 1) * vadFrameSamples))
  return frame
}

function raised(samples: Float32Array): Float32Array {
  return raisedIfFaint(samples, energyOf(samples))
}

/** As faint as a recording can be before its 16 bits no longer tell words apart. */
const faint = 0.004

function inputsWithoutSpeech(): Record<string, Float32Array> {
  const audio = (at: (i: number) => number) => Float32Array.from({ length: 10 * second }, (_, i) => at(i))
  const tone = (hertz: number) => (i: number) => 0.3 * Math.sin((2 * Math.PI * hertz * i) / second)
  let state = 1
  const noise = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
  return {
    'digital silence': audio(() => 0),
    'quiet noise': audio(() => 0.003 * noise()),
    'loud white noise': audio(() => 0.3 * noise()),
    'a mains hum': audio(tone(50)),
    'a dialling tone': audio(tone(425)),
    'a whistle': audio(tone(2000)),
    'a chord': audio((i) => (tone(262)(i) + tone(330)(i) + tone(392)(i)) / 3),
    clicks: audio((i) => (i % 4000 === 0 ? 0.9 : 0)),
  }
}

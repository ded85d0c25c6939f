import { readFile } from 'node:fs/promises'

import { InferenceSession, Tensor } from 'onnxruntime-node'

import type { ModelStore } from '../../../infra/speech/models/store.ts'
import { createESpeak } from '../../../infra/speech/tts/espeak/espeak.ts'
import { lineUp, requestFor } from '../../../infra/speech/tts/light.ts'
import { openKokoro, weightsModel } from '../../../infra/speech/tts/neural/model.ts'
import { styleFor } from '../../../infra/speech/tts/neural/styles.ts'
import { utterancesOf } from '../../../infra/speech/tts/neural/utterance.ts'
import { edgeToken } from '../../../infra/speech/tts/neural/vocabulary.ts'
import { roster } from '../../../infra/speech/tts/roster.ts'
import { spokenText } from '../../../infra/speech/tts/spoken-text.ts'
import { sentences } from './sentences.ts'

const sentencesOfRace = 5
const style = 'af_heart'

/**
 * The same tokens through our model and through the published one as kokoro-js runs it: the graph as it is, the session with
 * the runtime's own choices. They take turns, so that whatever else the machine does falls on both.
 */
export async function raceKokoro(store: ModelStore, rounds: number): Promise<Readonly<Record<string, string>>[]> {
  const signal = new AbortController().signal
  const ours = await openKokoro(store)
  const plain = await openPlain(store)
  const clips = await tokensOfSentences(signal)
  const runners: Runner[] = [
    {
      name: 'ours',
      run: async (tokens) =>
        (await ours.run({ tokens, style: styleFor(ours.styleOf(style), tokens.length), speed: 1, pitch: 0 }, signal))
          .samples,
    },
    { name: 'plain loop', run: (tokens) => plain(tokens, styleFor(ours.styleOf(style), tokens.length)) },
  ]
  const best = runners.map(() => clips.map(() => Number.POSITIVE_INFINITY))
  let seconds = 0
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, tokens] of clips.entries())
      for (const [who, { run }] of runners.entries()) {
        const fromMs = performance.now()
        const samples = await run(tokens)
        const tookMs = performance.now() - fromMs
        if (round > 0) best[who]![at] = Math.min(best[who]![at]!, tookMs) // the first round allocates
        if (round === 0 && who === 0) seconds += samples.length / 24_000
      }
  await ours.close()
  const totals = best.map((times) => times.reduce((sum, ms) => sum + ms, 0) / 1_000)
  return runners.map(({ name }, who) => ({
    'run by': name,
    'seconds of speech': seconds.toFixed(1),
    'real-time factor': (totals[who]! / seconds).toFixed(3),
    '× plain loop': (totals[1]! / totals[who]!).toFixed(2),
  }))
}

interface Runner {
  readonly name: string
  readonly run: (tokens: readonly number[]) => Promise<Float32Array>
}

async function openPlain(store: ModelStore) {
  const { files } = await store.locate(weightsModel)
  const bytes = Buffer.concat(await Promise.all(Object.values(files).map((path) => readFile(path))))
  const session = await InferenceSession.create(bytes)
  return async (tokens: readonly number[], row: Float32Array): Promise<Float32Array> => {
    const ids = BigInt64Array.from([edgeToken, ...tokens, edgeToken], BigInt)
    const { waveform } = await session.run({
      input_ids: new Tensor('int64', ids, [1, ids.length]),
      style: new Tensor('float32', row, [1, row.length]),
      speed: new Tensor('float32', Float32Array.of(1), [1]),
    })
    return waveform!.data as Float32Array
  }
}

async function tokensOfSentences(signal: AbortSignal): Promise<(readonly number[])[]> {
  const espeak = createESpeak()
  const voice = roster.find(({ id }) => id === 'maya')!
  const clips: (readonly number[])[] = []
  for (const sentence of sentences.en.slice(0, sentencesOfRace)) {
    const clause = spokenText(sentence, 'en')
    const { text, offsets } = lineUp(clause)
    const request = { ...requestFor('en', text, { voice, speed: 1, signal }), sound: false }
    clips.push(utterancesOf(clause, offsets, await espeak.speak(request, signal))[0]!.tokens)
  }
  await espeak.close()
  return clips
}

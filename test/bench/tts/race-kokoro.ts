import { readFile } from 'node:fs/promises'

import { InferenceSession, Tensor } from 'onnxruntime-node'

import { spokenRate } from '../../../actors/conversation/ports.ts'
import { readModel, writeModel } from '../../../infra/speech/onnx/model.ts'
import { widenFloats } from '../../../infra/speech/onnx/widen-floats.ts'
import type { ModelStore } from '../../../infra/speech/models/store.ts'
import { createESpeak } from '../../../infra/speech/tts/espeak/espeak.ts'
import { lineUp, requestFor } from '../../../infra/speech/tts/light.ts'
import { weightsModel } from '../../../infra/speech/models/voice-models.ts'
import { openKokoro } from '../../../infra/speech/tts/neural/model.ts'
import { styleFor } from '../../../infra/speech/tts/neural/styles.ts'
import { utterancesOf } from '../../../infra/speech/tts/neural/utterance.ts'
import { edgeToken } from '../../../infra/speech/tts/neural/vocabulary.ts'
import { roster } from '../../../infra/speech/tts/roster.ts'
import { spokenText } from '../../../infra/speech/tts/spoken-text.ts'
import { sentences } from './sentences.ts'

const sentencesOfRace = 5
const style = 'af_heart'

/**
 * The same tokens through our model and through the published graph as kokoro-js runs it: a session with the runtime's own
 * choices, whole utterances. Its halves give no audio on every machine, so it also runs with the same weights as floats. They
 * take turns, so that whatever else the machine does falls on all.
 */
export async function raceKokoro(store: ModelStore, rounds: number): Promise<Readonly<Record<string, string>>[]> {
  const signal = new AbortController().signal
  const ours = await openKokoro(store)
  const rowOf = (tokens: readonly number[]): Float32Array => styleFor(ours.styleOf(style), tokens.length)
  const [published, floats] = [await openPlain(store, (bytes) => bytes), await openPlain(store, asFloats)]
  const runners: Runner[] = [
    {
      name: 'ours',
      run: async (tokens) => (await ours.run({ tokens, style: rowOf(tokens), speed: 1, pitch: 0 }, { signal })).samples,
    },
    { name: 'plain loop, as floats', run: (tokens) => floats(tokens, rowOf(tokens)) },
    { name: 'plain loop, as published', run: (tokens) => published(tokens, rowOf(tokens)) },
  ]
  const clips = await tokensOfSentences(signal)
  const best = runners.map(() => clips.map(() => Number.POSITIVE_INFINITY))
  const seconds = runners.map(() => 0)
  const sounding = runners.map(() => true)
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, tokens] of clips.entries())
      for (const [who, { run }] of runners.entries()) {
        const fromMs = performance.now()
        const samples = await run(tokens)
        const tookMs = performance.now() - fromMs
        if (round > 0) best[who]![at] = Math.min(best[who]![at]!, tookMs)
        if (round > 0) continue
        seconds[who]! += samples.length / spokenRate // the first round allocates, and is not timed
        sounding[who] &&= samples.every(Number.isFinite)
      }
  await ours.close()
  const totals = best.map((times) => times.reduce((sum, ms) => sum + ms, 0) / 1_000)
  return runners.map(({ name }, who) => ({
    'run by': name,
    'is a sound': sounding[who] ? 'yes' : 'no, not a number',
    'seconds of speech': seconds[who]!.toFixed(1),
    'real-time factor': (totals[who]! / seconds[0]!).toFixed(3),
    'ours is faster by': (totals[who]! / totals[0]!).toFixed(2),
  }))
}

interface Runner {
  readonly name: string
  readonly run: (tokens: readonly number[]) => Promise<Float32Array>
}

function asFloats(bytes: Uint8Array): Uint8Array {
  return writeModel(widenFloats(readModel(bytes)))
}

async function openPlain(store: ModelStore, made: (bytes: Uint8Array) => Uint8Array) {
  const { files } = await store.locate(weightsModel)
  const bytes = Buffer.concat(await Promise.all(Object.values(files).map((path) => readFile(path))))
  const session = await InferenceSession.create(made(bytes))
  return async (tokens: readonly number[], row: Float32Array): Promise<Float32Array> => {
    const ids = BigInt64Array.from([edgeToken, ...tokens, edgeToken], BigInt)
    const { waveform } = await session.run({
      input_ids: new Tensor('int64', ids, [1, ids.length]),
      style: new Tensor('float32', row, [1, row.length]),
      speed: new Tensor('float32', Float32Array.of(1), [1]),
    })
    return waveform!.data as Float32Array // as: what the graph declares
  }
}

async function tokensOfSentences(signal: AbortSignal): Promise<(readonly number[])[]> {
  const espeak = createESpeak()
  const voice = roster.find(({ id }) => id === 'maya')!
  const clips: (readonly number[])[] = []
  for (const sentence of sentences.en.slice(0, sentencesOfRace)) {
    const clause = spokenText(sentence, 'en')
    const { text, offsets } = lineUp(clause)
    const request = { ...requestFor('en', text, { voice, speed: 1, signal }), audio: false }
    clips.push(utterancesOf(clause, offsets, await espeak.speak(request, signal))[0]!.tokens)
  }
  await espeak.close()
  return clips
}

import test from 'ava'

import type { EngineSpeakOptions, Said, VoiceEngine } from '../../../infra/speech/tts/engine.ts'
import { PacedSpeech } from '../../../infra/speech/tts/keep-pace.ts'
import { madeAhead } from '../../../infra/speech/tts/made-ahead.ts'
import { roster } from '../../../infra/speech/tts/roster.ts'
import { spokenText } from '../../../infra/speech/tts/spoken-text.ts'
import { eventually } from '../../support/eventually.ts'

const clause = spokenText('One clause.', 'en')
const second = 24_000

/** Speaks at once, or never until it is told to stop; the samples say who spoke. */
function anEngine(name: VoiceEngine['name'], isStuck = false) {
  const engine = {
    name,
    isStuck,
    signals: [] as AbortSignal[],
    say(_clause: unknown, { signal }: EngineSpeakOptions): Promise<Said> {
      engine.signals.push(signal)
      if (!engine.isStuck) return Promise.resolve({ samples: Float32Array.of(name === 'light' ? 1 : 2), starts: [] })
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
    close: () => Promise.resolve(),
  }
  return engine
}

function aSpeech(substitute: VoiceEngine | undefined, limits = { beginMs: 5, reserveMs: 1 }) {
  const clock = { nowMs: 0 }
  const late: number[] = []
  const pace = new PacedSpeech(
    { substitute, elapsedMs: () => clock.nowMs, late: ({ withinMs }) => late.push(withinMs) },
    limits,
  )
  const options = { voice: roster[0]!, speed: 1, signal: new AbortController().signal }
  const by = async (engine: VoiceEngine): Promise<string> =>
    (await pace.say(engine, clause, options)).samples[0] === 1 ? 'light' : 'neural'
  return { pace, clock, late, by }
}

test('an engine that keeps up speaks everything', async (t) => {
  const [light, neural] = [anEngine('light'), anEngine('neural')]
  const { pace, by, late } = aSpeech(light)
  for (let at = 0; at < 3; at += 1) {
    t.is(await by(neural), 'neural')
    pace.made(second)
  }
  t.deepEqual(late, [])
  t.is(light.signals.length, 0)
})

test('where the first clause takes too long the light voice speaks it, and the rest of the answer', async (t) => {
  const [light, neural] = [anEngine('light'), anEngine('neural', true)]
  const { by, late } = aSpeech(light)
  t.is(await by(neural), 'light')
  t.true(neural.signals[0]!.aborted)
  neural.isStuck = false
  t.is(await by(neural), 'light')
  t.deepEqual(late, [5])
})

test('a later clause has until what was made before it is heard, less what the light voice needs', async (t) => {
  const { pace, clock, by, late } = aSpeech(anEngine('light'), { beginMs: 60_000, reserveMs: 90 })
  const neural = anEngine('neural')
  await by(neural)
  pace.made(second)
  clock.nowMs += 900
  neural.isStuck = true
  t.is(await by(neural), 'light')
  t.deepEqual(late, [10])
})

test('where the text itself came late the engine has the time of a beginning', async (t) => {
  const { pace, clock, by, late } = aSpeech(anEngine('light'), { beginMs: 20, reserveMs: 1 })
  const neural = anEngine('neural')
  await by(neural)
  pace.made(second)
  clock.nowMs += 5_000
  neural.isStuck = true
  t.is(await by(neural), 'light')
  t.deepEqual(late, [20])
})

test('without a substitute everybody waits', async (t) => {
  const { by } = aSpeech(undefined, { beginMs: 0, reserveMs: 0 })
  t.is(await by(anEngine('neural')), 'neural')
})

test('an engine that fails in time has failed', async (t) => {
  const { by } = aSpeech(anEngine('light'), { beginMs: 60_000, reserveMs: 0 })
  const broken = { ...anEngine('neural'), say: () => Promise.reject(new Error('it broke')) }
  await t.throwsAsync(by(broken), { message: 'it broke' })
})

async function* three(): AsyncGenerator<number, void> {
  yield* [1, 2, 3]
}

test('one is made while the one before it is used, and no more', async (t) => {
  const begun: number[] = []
  const all = madeAhead(three(), (input) => {
    begun.push(input)
    return Promise.resolve(input * 10)
  })
  t.deepEqual(await all.next(), { done: false, value: 10 })
  t.deepEqual(begun, [1])
  await eventually('the next is begun', () => begun.length > 1)
  t.deepEqual(begun, [1, 2])
  t.is((await all.next()).value, 20)
  t.is((await all.next()).value, 30)
  t.true((await all.next()).done)
})

test('what fails ahead is told when its turn comes, and whoever leaves is waited for by nobody', async (t) => {
  const all = madeAhead(three(), (input) => (input === 2 ? Promise.reject(new Error('two')) : Promise.resolve(input)))
  t.is((await all.next()).value, 1)
  await t.throwsAsync(all.next(), { message: 'two' })
  const left = madeAhead(three(), (input) => (input === 2 ? new Promise<number>(() => {}) : Promise.resolve(input)))
  t.is((await left.next()).value, 1)
  t.true((await left.return()).done)
})

import { setImmediate as nextTurn } from 'node:timers/promises'

import test from 'ava'

import { chooseEngine } from '../../../infra/speech/tts/choose-engine.ts'
import type { VoiceEngineChoice } from '../../../infra/speech/tts/choose-engine.ts'
import type { VoiceEngine } from '../../../infra/speech/tts/engine.ts'
import { roster } from '../../../infra/speech/tts/roster.ts'
import { silentLog } from '../../support/silent-log.ts'

/** Speech of so many samples for any clause; none at all is slower than any machine may be. */
function anEngine(name: VoiceEngine['name'], samples: number) {
  const engine = {
    name,
    closed: 0,
    async say(_clause: unknown, { signal }: { signal: AbortSignal }) {
      const fromMs = performance.now()
      while (performance.now() < fromMs + 1) await nextTurn()
      signal.throwIfAborted()
      return { samples: new Float32Array(samples), starts: [] }
    },
    close() {
      engine.closed += 1
      return Promise.resolve()
    },
  }
  return engine
}

const fast = 24_000 * 60
const light = anEngine('light', fast)

function aChoice(given: Partial<VoiceEngineChoice>): VoiceEngineChoice {
  return {
    wanted: 'auto',
    light,
    isFetched: () => Promise.resolve(true),
    openNeural: () => Promise.reject(new Error('nobody asked for it')),
    isInNoHurry: false,
    voice: roster[0]!,
    signal: new AbortController().signal,
    log: silentLog,
    ...given,
  }
}

test('the neural voice is chosen where it is fast enough', async (t) => {
  const neural = anEngine('neural', fast)
  t.is(await chooseEngine(aChoice({ openNeural: () => Promise.resolve(neural) })), neural)
})

test('the light voice is chosen where the neural one is too slow, which is closed then', async (t) => {
  const neural = anEngine('neural', 0)
  t.is(await chooseEngine(aChoice({ openNeural: () => Promise.resolve(neural) })), light)
  t.is(neural.closed, 1)
})

test('a neural voice that was asked for speaks, however slow it is', async (t) => {
  const neural = anEngine('neural', 0)
  t.is(await chooseEngine(aChoice({ wanted: 'neural', openNeural: () => Promise.resolve(neural) })), neural)
})

test('where nobody listens meanwhile the neural voice speaks without a trial, if it is fetched', async (t) => {
  const neural = anEngine('neural', 0)
  const inNoHurry = { isInNoHurry: true, openNeural: () => Promise.resolve(neural) }
  t.is(await chooseEngine(aChoice(inNoHurry)), neural)
  t.is(await chooseEngine(aChoice({ ...inNoHurry, isFetched: () => Promise.resolve(false) })), light)
  t.is(await chooseEngine(aChoice({ ...inNoHurry, wanted: 'light' })), light)
})

test('a neural voice that is not fetched, or not wanted, is not opened', async (t) => {
  t.is(await chooseEngine(aChoice({ isFetched: () => Promise.resolve(false) })), light)
  t.is(await chooseEngine(aChoice({ wanted: 'light' })), light)
})

test('a choice that nobody waits for any more ends, and leaves nothing open', async (t) => {
  const closing = new AbortController()
  const neural = anEngine('neural', fast)
  const choosing = chooseEngine(aChoice({ openNeural: () => Promise.resolve(neural), signal: closing.signal }))
  closing.abort(new Error('closed'))
  await t.throwsAsync(choosing, { message: 'closed' })
  t.is(neural.closed, 1)
})

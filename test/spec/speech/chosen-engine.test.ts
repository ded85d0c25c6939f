import test from 'ava'

import { openChosenEngine } from '../../../infra/speech/tts/chosen-engine.ts'
import type { VoiceEngine } from '../../../infra/speech/tts/engine.ts'
import { roster } from '../../../infra/speech/tts/roster.ts'
import { eventually } from '../../support/eventually.ts'
import { aManualClock } from '../../support/manual-clock.ts'
import { silentLog } from '../../support/silent-log.ts'

const anEngine = (name: VoiceEngine['name']): VoiceEngine => ({
  name,
  // a minute of speech at once: fast enough for anybody
  say: () => Promise.resolve({ samples: new Float32Array(24_000 * 60), starts: [] }),
  close: () => Promise.resolve(),
})
const [light, neural] = [anEngine('light'), anEngine('neural')]

function aScene(given: { lightMeanwhile: boolean; openNeural?: () => Promise<VoiceEngine> }) {
  const clock = aManualClock()
  let [isHere, looks] = [false, 0]
  const engine = openChosenEngine({
    wanted: 'auto',
    light,
    isFetched() {
      looks += 1
      return Promise.resolve(isHere)
    },
    openNeural: () => Promise.resolve(neural),
    isInNoHurry: false,
    voice: roster[0]!,
    signal: new AbortController().signal,
    elapsedMs: () => clock.elapsedMs(),
    log: silentLog,
    ...given,
  })
  return { engine, clock, looks: () => looks, fetched: () => void (isHere = true) }
}

test('a neural voice that is fetched while the light one speaks is chosen, a moment later', async (t) => {
  const { engine, clock, looks, fetched } = aScene({ lightMeanwhile: false })
  t.is(await engine.speaking(), light)
  t.is(await engine.speaking(), light)
  t.is(looks(), 1, 'it is not looked for with each clause')
  fetched()
  clock.advance(5_000)
  t.is(await engine.speaking(), neural)
  clock.advance(5_000)
  t.is(await engine.chosen(), neural)
  t.is(looks(), 3, 'what was found is not looked for again')
})

test('who listens meanwhile hears the light voice until the neural one is open', async (t) => {
  let open: (engine: VoiceEngine) => void = () => undefined
  const opening = new Promise<VoiceEngine>((resolve) => (open = resolve))
  const { engine, clock, fetched } = aScene({ lightMeanwhile: true, openNeural: () => opening })
  t.is(await engine.speaking(), light)
  t.is(await engine.chosen(), light)
  fetched()
  clock.advance(5_000)
  for (let clause = 0; clause < 3; clause += 1) t.is(await engine.speaking(), light)
  open(neural)
  t.is(await eventually('the neural voice speaks', async () => (await engine.speaking()) === neural && neural), neural)
})

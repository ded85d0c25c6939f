import test from 'ava'

import { createPacedRouter } from '../../../infra/speech/asr/paced-router.ts'
import type { PacedRouter } from '../../../infra/speech/asr/paced-router.ts'
import type { Router } from '../../../infra/speech/asr/router.ts'
import { aManualClock } from '../../support/manual-clock.ts'

const rate = 16_000
const aTranscript = { text: '', language: 'hi', confidence: 0.9, logProb: -0.1, noSpeech: 0, words: [], flags: [] }

interface Scene {
  readonly router: PacedRouter
  /** Who heard it. */
  readonly hear: (seconds: number, withinMs?: number) => Promise<string>
  /** How long the accurate one takes for a second of speech. */
  msASecond: number
  isBusy: boolean
}

async function aScene(open: () => Promise<unknown> = async () => undefined): Promise<Scene> {
  const clock = aManualClock()
  const routerOf = (model: string, msASecond: () => number): Pick<Router, 'transcribe'> => ({
    async transcribe(clip, { heardFirst }) {
      clock.advance((msASecond() * clip.length) / rate)
      heardFirst?.(aTranscript)
      return { model, transcript: aTranscript }
    },
  })
  const router = createPacedRouter({
    accurate: routerOf('accurate', () => scene.msASecond),
    quick: routerOf('quick', () => 10),
    open,
    isBusy: () => scene.isBusy,
    close: async () => undefined,
    clock,
  })
  const scene: Scene = {
    router,
    async hear(seconds, withinMs) {
      const options = withinMs === undefined ? {} : { withinMs }
      return (await router.transcribe(new Float32Array(seconds * rate), options)).model
    },
    msASecond: 50,
    isBusy: false,
  }
  return scene
}

test('the accurate recogniser hears what it is done with in time, and the quick one what is longer', async (t) => {
  const { router, hear } = await aScene()
  await router.prepare()
  t.is(await hear(4, 400), 'accurate')
  t.is(await hear(8, 400), 'accurate')
  t.is(await hear(9, 400), 'quick')
  t.is(await hear(9), 'accurate', 'nobody waits for it')
})

test('while somebody else waits the quick one hears', async (t) => {
  const scene = await aScene()
  await scene.router.prepare()
  scene.isBusy = true
  t.is(await scene.hear(1, 400), 'quick')
  scene.isBusy = false
  t.is(await scene.hear(1, 400), 'accurate')
})

test('who has become slow is left out, and tried again by and by', async (t) => {
  const scene = await aScene()
  await scene.router.prepare()
  t.is(await scene.hear(4, 400), 'accurate')
  scene.msASecond = 1_000
  t.is(await scene.hear(4, 400), 'accurate')
  t.is(await scene.hear(4, 400), 'quick')
  scene.msASecond = 50
  let quick = 1
  while ((await scene.hear(4, 400)) === 'quick') t.true((quick += 1) < 100)
  t.true(quick > 10, `${quick}`)
})

test('until the accurate one is open nobody waits for it', async (t) => {
  let opened: (() => void) | undefined
  const { router, hear } = await aScene(() => new Promise<void>((resolve) => (opened = resolve)))
  t.is(await hear(1, 400), 'quick')
  opened!()
  await router.prepare()
  t.is(await hear(1, 400), 'accurate')
})

test('where it cannot be opened the quick one hears, and it is tried again', async (t) => {
  let failures = 1
  const { router, hear } = await aScene(async () => {
    if (failures-- > 0) throw new Error('no room')
  })
  t.is(await hear(1, 400), 'quick')
  await router.prepare()
  t.is(await hear(1, 400), 'accurate')
})

import test from 'ava'

import type { Recogniser } from '../../../infra/speech/asr/recogniser.ts'
import type { RouterModels } from '../../../infra/speech/asr/task.ts'
import { tellOpenings } from '../../../infra/speech/work/tell-openings.ts'
import { aRecogniser, aTranscript } from '../../support/recognisers.ts'

interface Opening {
  readonly open: () => void
  readonly fail: () => void
}

/** Models whose opening ends when the test says so, and how many waits for them were told and not ended. */
function aScene() {
  const openings: Opening[] = []
  let waiting = 0
  const recogniser = (): Promise<Recogniser> =>
    new Promise((resolve, reject) => {
      const opened = aRecogniser({}, () => aTranscript(''))
      openings.push({ open: () => resolve(opened), fail: () => reject(new Error('no model')) })
    })
  const models: RouterModels = {
    again: [],
    first: recogniser,
    recogniser,
    fallback: recogniser,
    detector: () => Promise.reject(new Error('nobody asks for it')),
    close: () => Promise.resolve(),
  }
  const told = tellOpenings(models, () => {
    waiting += 1
    const end = (): void => {
      waiting -= 1
    }
    return { update: () => undefined, done: end, fail: end }
  })
  return { told, openings, waiting: () => waiting }
}

test('whoever needs a model that is being opened waits for it, and nobody does once it is open', async (t) => {
  const { told, openings, waiting } = aScene()
  const first = [told.recogniser('hi'), told.recogniser('hi')]
  t.is(waiting(), 2)
  for (const { open } of openings) open()
  await Promise.all(first)
  t.is(waiting(), 0)
  void told.recogniser('hi')
  t.is(waiting(), 0)
  void told.first()
  t.is(waiting(), 1, 'another one is another matter')
})

test('an opening that fails is waited for no longer, and again when it is tried again', async (t) => {
  const { told, openings, waiting } = aScene()
  const failing = told.fallback()
  openings[0]!.fail()
  await t.throwsAsync(failing, { message: 'no model' })
  t.is(waiting(), 0)
  void told.fallback()
  t.is(waiting(), 1)
})

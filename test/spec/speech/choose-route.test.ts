import test from 'ava'
import * as fc from 'fast-check'

import { chooseRoute } from '../../../infra/speech/asr/choose-route.ts'

const known = ['hi', 'en']

test('a language that is clearly the likeliest is heard alone', (t) => {
  t.deepEqual(chooseRoute({ hi: 0.9, en: 0.1 }, known), { type: 'One', language: 'hi' })
  t.deepEqual(chooseRoute({ hi: 0.04, en: 0.9 }, known), { type: 'One', language: 'en' })
})

test('two that are close are both heard, the likelier first', (t) => {
  t.like(chooseRoute({ hi: 0.4, en: 0.5 }, known), { type: 'Both', languages: ['en', 'hi'] })
  t.like(chooseRoute({ hi: 0.8, en: 0.2 }, known), { type: 'Both', languages: ['hi', 'en'] })
})

test('a route to two says how much likelier the first is', (t) => {
  t.like(chooseRoute({ hi: 0.6, en: 0.2 }, known), { languages: ['hi', 'en'], odds: 0.6 / 0.8 / (0.2 / 0.8) })
})

test('Urdu counts as Hindi', (t) => {
  t.deepEqual(chooseRoute({ ur: 0.6, hi: 0.3, en: 0.1 }, known), { type: 'One', language: 'hi' })
  t.like(chooseRoute({ ur: 0.5, en: 0.4 }, known), { type: 'Both', languages: ['hi', 'en'] })
})

test('what is taken for a neighbour of Hindi counts as Hindi', (t) => {
  t.like(chooseRoute({ ml: 0.21, en: 0.2, ta: 0.11, hi: 0.07, tr: 0.06 }, known), { languages: ['hi', 'en'] })
})

test('languages that nobody here knows are left out of the comparison', (t) => {
  t.deepEqual(chooseRoute({ es: 0.9, hi: 0.09, en: 0.01 }, known), { type: 'One', language: 'hi' })
  t.like(chooseRoute({ es: 0.96, hi: 0.02, en: 0.02 }, known), { type: 'Both', languages: ['hi', 'en'] })
})

test('where the detector names no known language, the preferred one is heard', (t) => {
  t.deepEqual(chooseRoute({}, known), { type: 'One', language: 'hi' })
  t.deepEqual(chooseRoute({ fr: 1 }, known), { type: 'One', language: 'hi' })
})

test('whatever the detector says, the route leads to known languages, never twice to the same', (t) => {
  const likelihoods = fc.dictionary(
    fc.constantFrom('hi', 'ur', 'en', 'es', 'fr', 'ta'),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  fc.assert(
    fc.property(likelihoods, (given) => {
      const route = chooseRoute(given, known)
      const languages = route.type === 'One' ? [route.language] : route.languages
      return new Set(languages).size === languages.length && languages.every((one) => known.includes(one))
    }),
  )
  t.pass()
})

import test from 'ava'

import { pronounceBy } from '../../../actors/pronunciation/pronunciations.ts'
import { clauseMax } from '../../../infra/speech/tts/clauses.ts'
import type { VoiceLanguage } from '../../../infra/speech/tts/languages.ts'
import { spokenText } from '../../../infra/speech/tts/spoken-text.ts'
import { oddTexts } from '../../fuzz/odd-values.ts'

const pronounce = pronounceBy([
  { word: 'Vaak', spoken: 'वाक्' },
  { word: 'US', spoken: 'the States' },
  { word: 'SQL', spoken: 'sequel' },
  { word: 'वाक', spoken: 'vaak service' },
  { word: 'लखनऊ', spoken: 'लख नऊ' },
  { word: 'Route66', spoken: 'route 66' },
])

function said(text: string, voice: VoiceLanguage): string[] {
  return spokenText(text, voice, pronounce).words.map(({ spoken, pause }) => spoken + pause)
}

for (const [voice, written, spoken] of [
  ['hi', 'यह Vaak है।', ['यह', 'वाक्', 'है.']],
  ['en', 'This is “Vaak”, again.', ['This', 'is', 'वाक्,', 'again.']],
  ['en', 'VAAK or vaak?', ['वाक्', 'or', 'वाक्?']],
  ['en', 'Call us in the US.', ['Call', 'us', 'in', 'the', 'the States.']],
  ['en', 'SQL, and sql', ['sequel,', 'and', 'sql']],
  ['hi', 'वाक को बुलाओ', ['vaak service', 'को', 'बुलाओ']],
  ['hi', 'मैं लखनऊ में हूँ', ['मैं', 'लख नऊ', 'में', 'हूँ']],
  ['en', 'on Route66.', ['on', 'route 66.']],
  ['en', 'Vaaks are others', ['Vaaks', 'are', 'others']],
] as const)
  test(`${voice}: ${written} is spoken as its user wants it`, (t) => {
    t.deepEqual(said(written, voice), spoken)
  })

test('every written word stays one, however many are spoken in its place', (t) => {
  const { words } = spokenText('Vaak in the US', 'en', pronounce)
  t.deepEqual(
    words.map(({ written }) => written),
    ['Vaak', 'in', 'the', 'US'],
  )
})

test('whatever a user wants to be spoken, an engine is given words', (t) => {
  for (const spoken of oddTexts)
    for (const voice of ['hi', 'en', 'ta'] as const) {
      const { words } = spokenText('so odd it is.', voice, pronounceBy([{ word: 'odd', spoken }]))
      t.is(words.length, 4)
      t.regex(words[1]!.spoken, /^[\p{L}\p{M}\p{N}\p{Join_Control}'’.\- ]*$/u)
      t.true(words[1]!.spoken.length < 2_100, `${words[1]!.spoken.length}`)
    }
})

test('a clause grows no further than an engine takes it: the rest of it is read as it is written', (t) => {
  const long = pronounceBy([{ word: 'a', spoken: 'long '.repeat(12).trim() }])
  const { words } = spokenText('a '.repeat(clauseMax / 2).trim(), 'en', long)
  const characters = words.reduce((sum, { spoken }) => sum + spoken.length + 1, 0)
  t.true(characters < 4_000, String(characters))
  t.is(words[0]!.spoken.split(' ').length, 12)
  t.is(words.at(-1)!.spoken, 'a')
})

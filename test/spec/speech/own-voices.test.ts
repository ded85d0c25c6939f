import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { readOwnVoices } from '../../../infra/speech/tts/own-voices.ts'
import { roster } from '../../../infra/speech/tts/roster.ts'
import { aFolder } from '../../support/folder.ts'

async function aFile(t: ExecutionContext, content: unknown): Promise<string> {
  const path = join(await aFolder(t), 'voices.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('without a file there are no further voices', (t) => t.deepEqual(readOwnVoices(''), []))

test('a voice of one’s own is like another, with what is different about it', async (t) => {
  const path = await aFile(t, {
    voices: [{ id: 'guru', name: 'Guru', like: 'arjun', styles: { hm_omega: 2, am_adam: 1 }, pitch: -2, rate: 0.9 }],
  })
  const arjun = roster.find(({ id }) => id === 'arjun')!
  t.deepEqual(readOwnVoices(path), [
    {
      id: 'guru',
      name: 'Guru',
      gender: 'male',
      language: 'hi',
      light: { ...arjun.light, pitch: arjun.light.pitch - 8, rate: Math.round(arjun.light.rate * 0.9) },
      neural: { styles: { hm_omega: 2, am_adam: 1 }, pitch: -2, rate: 0.9 },
    },
  ])
})

for (const [what, content, pattern] of [
  ['is no JSON', '{', /cannot be read as JSON/],
  ['has an unknown field', { voices: [{ id: 'x', name: 'X', like: 'asha', tempo: 1 }] }, /tempo/],
  ['is like nobody', { voices: [{ id: 'x', name: 'X', like: 'nobody' }] }, /like/],
  ['takes a name that is taken', { voices: [{ id: 'alloy', name: 'X', like: 'asha' }] }, /alloy already/],
  ['has an id that is none', { voices: [{ id: '../x', name: 'X', like: 'asha' }] }, /id/],
  ['is pitched out of bounds', { voices: [{ id: 'x', name: 'X', like: 'asha', pitch: 40 }] }, /pitch/],
] as const)
  test(`a file of voices that ${what} is refused in words`, async (t) => {
    const path = await aFile(t, content)
    t.throws(() => readOwnVoices(path), { message: pattern })
  })

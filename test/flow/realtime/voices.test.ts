import test from 'ava'

import { openVoices } from '../../../infra/speech/tts/open-voices.ts'
import { spoken } from '../../contract/voices.ts'
import { says } from '../../support/realtime-fakes.ts'
import { aSession } from '../../support/realtime-session.ts'
import { silentLog } from '../../support/silent-log.ts'

const voices = openVoices({ engine: 'light', cacheDir: '', modelDir: '', voicesFile: '', log: silentLog })
test.after.always(() => voices.close())

const turns = [
  { voice: 'asha', text: 'नमस्ते, आप कैसे हैं?' },
  { voice: 'vikram', text: 'I am well, thank you.' },
  { voice: 'kavya', text: 'மிக்க நன்றி.' },
  { voice: 'asha', text: 'Kal milte hain, goodbye!' },
] as const

test('each turn is spoken in the voice that was chosen before it, in the language that it is written in', async (t) => {
  const session = aSession(t, { voices })
  for (const { voice, text } of turns) {
    session.send({ type: 'session.update', session: { type: 'realtime', audio: { output: { voice } } } })
    session.model.next.push(says(text))
    session.send({ type: 'response.create' })
    const { response } = await session.next('response.done')
    t.is(response.status, 'completed')
    t.is(response.audio.output.voice, voice)
    const sent = session
      .only('response.output_audio.delta')
      .filter((delta) => delta['response_id'] === response.id)
      .reduce((bytes, delta) => bytes + Buffer.byteLength(delta['delta'], 'base64'), 0)
    t.true(isNear(sent, await bytesOf(voice, text)), `${voice} says ${text} in ${sent} bytes`)
  }
  const bytes = await Promise.all(turns.map(({ voice }) => bytesOf(voice, turns[1].text)))
  t.false(isNear(bytes[0]!, bytes[1]!), 'the voices can be told apart by how long they take')
})

test('a session begins with the voice that it was opened with, by the name that a client knows it by', async (t) => {
  const session = aSession(t, { voices, defaults: { voice: 'onyx' } })
  session.model.next.push(says('Good morning.'))
  session.send({ type: 'response.create' })
  const { response } = await session.next('response.done')
  t.is(response.audio.output.voice, 'onyx')
  const sent = session
    .only('response.output_audio.delta')
    .reduce((bytes, delta) => bytes + Buffer.byteLength(delta['delta'], 'base64'), 0)
  t.true(isNear(sent, await bytesOf('vikram', 'Good morning.')))
})

async function bytesOf(voice: string, text: string): Promise<number> {
  const clauses = await spoken(voices, [text], { voice })
  return clauses.reduce((bytes, { samples }) => bytes + samples.byteLength, 0)
}

/** The engine never says a thing twice in the very same number of samples. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one / other - 1) < 0.01
}

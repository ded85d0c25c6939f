import test from 'ava'

import { englishFixture } from '../../support/english.ts'
import { sentence, silence } from '../../support/client-audio.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'
import { sessionSpeech } from '../../support/session-speech.ts'

/** What the words of a user make of a turn, with the models that sessions have. */

const speech = sessionSpeech(test)
const withinMs = 200_000

test('a turn is spelt by the words that its session names', async (t) => {
  t.timeout(2 * withinMs, 'the first run fetches the models')
  t.regex((await englishFixture()).text, /old clock in the hallway/i)
  const entries = [{ text: 'Oldclock™', spoken: ['old clock'] }]
  const { connect } = await aRealtimeServer(t, {
    speech,
    vocabularies: { read: async () => ({ sha256: 'words', entries }) },
  })
  const client = connect()
  await client.next('session.created')
  const audio = { input: { transcription: {} } }
  client.send({ type: 'session.update', session: { type: 'realtime', vaak: { vocabulary: 'ours' }, audio } })
  await client.next('session.updated')
  for (const piece of (await sentence(100)).pieces) client.send(piece)
  for (let at = 0; at < 15; at += 1) client.send(silence(100))
  const { transcript } = await client.next('conversation.item.input_audio_transcription.completed', 0, withinMs)
  t.regex(transcript, /^The Oldclock™ in the hallway/)
})

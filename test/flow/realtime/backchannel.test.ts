import test from 'ava'
import type { ExecutionContext } from 'ava'

import { recogniserRate, spokenRate } from '../../../actors/conversation/ports.ts'
import { resample } from '../../../infra/speech/audio/signal/resample.ts'
import { benchSpeak } from '../../bench/tts/speak.ts'
import { clientSpeech, silence } from '../../support/client-audio.ts'
import { eventually } from '../../support/eventually.ts'
import { speechFixtures } from '../../support/recordings.ts'
import { aSession, userSays } from '../../support/realtime-session.ts'
import type { TestSession } from '../../support/realtime-session.ts'
import { sessionSpeech } from '../../support/session-speech.ts'

/** What is said over an answer, with the detector and the recogniser that sessions have. */

const { detector, listener, voices } = sessionSpeech(test)

const pieceMs = 100
const withinMs = 60_000
/** However busy the machine is. */
const limits = { backchannelJudgeMs: withinMs }
const started = 'input_audio_buffer.speech_started'

async function answering(t: ExecutionContext): Promise<TestSession> {
  t.timeout(300_000, 'the first run fetches the models')
  const session = aSession(t, { detector, listener, limits })
  session.send({ type: 'session.update', session: { turn_detection: { type: 'semantic_vad' } } })
  session.model.next.push([{ kind: 'text', delta: `${'word '.repeat(3_000)}. ` }, new Promise(() => undefined)])
  session.send(userSays('tell me'))
  session.send({ type: 'response.create' })
  await session.next('response.output_audio.delta')
  return session
}

/** After a moment of silence, and before one. */
function sayOver(session: TestSession, speech: Float32Array): void {
  const quiet = Array.from({ length: 3 }, () => silence(pieceMs))
  for (const piece of [...quiet, ...clientSpeech(speech, pieceMs).pieces, ...quiet]) session.sendRaw(piece)
}

/** By a light voice, whose words the recogniser understands worse than those of people. */
async function spoken(text: string): Promise<Float32Array> {
  return resample((await benchSpeak(voices, 'maya', text)).samples, spokenRate, recogniserRate)
}

test.serial('a word that says that somebody listens does not interrupt', async (t) => {
  const session = await answering(t)
  sayOver(session, await spoken('right'))
  const heard = (): boolean => session.only('conversation.item.added').length > 2
  await eventually('it is an item', heard, withinMs)
  t.deepEqual(session.only(started), [])
  t.deepEqual(session.only('response.done'), [])
})

test.serial('a word that says stop does', async (t) => {
  const session = await answering(t)
  sayOver(session, await spoken('stop'))
  await eventually('somebody speaks', () => session.only(started).length > 0, withinMs)
  t.is(session.only('response.done')[0]!['response'].status, 'cancelled')
})

for (const language of ['hindi', 'english'] as const)
  test.serial(`what real people say in ${language} does`, async (t) => {
    for (const { samples, text } of await speechFixtures(language)) {
      const session = await answering(t)
      sayOver(session, samples.slice(0, 3 * recogniserRate))
      await eventually(text, () => session.only(started).length > 0, withinMs)
      t.is(session.only('response.done')[0]!['response'].status, 'cancelled', text)
    }
  })

import test from 'ava'

import { append, aSession, speak } from '../../support/realtime-session.ts'
import type { TestSession } from '../../support/realtime-session.ts'

const delta = 'conversation.item.input_audio_transcription.delta'
const completed = 'conversation.item.input_audio_transcription.completed'
const heard = 'one two three four'

function transcribing(session: TestSession): void {
  session.listener.follows = heard
  session.send({ type: 'session.update', session: { input_audio_transcription: {} } })
}

for (const dialect of ['ga', 'beta'] as const)
  for (const kind of ['realtime', 'transcription'] as const)
    test(`words are told while they are spoken, and none is taken back: ${kind} in ${dialect}`, async (t) => {
      const session = aSession(t, { dialect, kind })
      transcribing(session)
      append(session, 400, false)
      append(session, 2_500, true)
      const { item_id } = session.only('input_audio_buffer.speech_started')[0]!
      t.deepEqual(
        session.only(delta).map((event) => event['delta']),
        ['one', ' two'],
      )
      t.is(session.only('input_audio_buffer.speech_stopped').length, 0)
      append(session, 800, false)
      const { transcript } = await session.next(completed)
      t.is(transcript, heard)
      const told = session.only(delta)
      t.is(told.map((event) => event['delta']).join(''), transcript)
      t.deepEqual(new Set(told.map((event) => event['item_id'])), new Set([item_id]))
      t.deepEqual(session.listener.asked, [], 'nothing is transcribed a second time')
    })

for (const kind of ['realtime', 'transcription'] as const)
  test(`whoever follows a turn is told whether an answer waits for it: ${kind}`, async (t) => {
    const session = aSession(t, { kind })
    transcribing(session)
    speak(session, 2_000)
    await session.next(completed)
    t.is(session.listener.followed[0]!.options.isAnswered, kind === 'realtime')
  })

test('a turn that is followed has all its audio', async (t) => {
  const session = aSession(t)
  transcribing(session)
  speak(session, 3_000)
  const { usage } = await session.next(completed)
  const [turn] = session.listener.followed
  // with the padding before it and the pause that ended it
  t.true(Math.abs(turn!.samples - 3.8 * 16_000) < 0.1 * 16_000, `${turn!.samples}`)
  t.is(usage.seconds, turn!.samples / 16_000)
})

test('whoever follows a turn is told of pauses', async (t) => {
  const session = aSession(t)
  transcribing(session)
  append(session, 400, false)
  append(session, 1_000, true)
  append(session, 300, false)
  append(session, 1_000, true)
  append(session, 800, false)
  await session.next(completed)
  const changes = session.listener.followed[0]!.pauses.filter((isPause, at, all) => isPause !== all[at - 1])
  t.deepEqual(changes, [false, true, false, true])
})

test('a turn that nobody is told about is followed for its answer, without telling', async (t) => {
  const session = aSession(t)
  session.listener.follows = heard
  speak(session, 2_000)
  await session.next('response.done')
  t.is(session.listener.followed[0]!.options.tell, undefined)
  t.is(session.only(delta).length, 0)
  t.like(session.model.asked[0]!.turns[0], { kind: 'said', by: 'user', text: heard })
})

test('a turn that nobody wants the words of is not followed', (t) => {
  const session = aSession(t)
  session.listener.follows = heard
  session.send({ type: 'session.update', session: { turn_detection: { type: 'server_vad', create_response: false } } })
  speak(session, 2_000)
  t.is(session.only('input_audio_buffer.committed').length, 1)
  t.deepEqual(session.listener.followed, [])
})

test('a turn that is committed while it is spoken keeps what was told', async (t) => {
  const session = aSession(t)
  transcribing(session)
  append(session, 400, false)
  append(session, 2_500, true)
  session.send({ type: 'input_audio_buffer.commit' })
  t.is((await session.next(completed))['transcript'], heard)
  t.is(
    session
      .only(delta)
      .map((event) => event['delta'])
      .join(''),
    heard,
  )
})

const endings: readonly (readonly [string, (session: TestSession) => void])[] = [
  ['is cleared', (session) => session.send({ type: 'input_audio_buffer.clear' })],
  ['loses its detection', (session) => session.send({ type: 'session.update', session: { turn_detection: null } })],
  [
    'changes its format',
    (session) => session.send({ type: 'session.update', session: { input_audio_format: 'g711_ulaw' } }),
  ],
  ['loses its session', (session) => session.running.end()],
]

for (const [what, end] of endings)
  test(`a turn that ${what} is followed no more`, (t) => {
    const session = aSession(t)
    transcribing(session)
    append(session, 400, false)
    append(session, 1_500, true)
    end(session)
    t.is(session.listener.followed.length, 1)
    t.is(session.listener.followed[0]!.state, 'closed')
    t.is(session.only(delta).length, 1)
  })

test('a followed turn whose item is deleted is given up', async (t) => {
  const session = aSession(t)
  transcribing(session)
  session.send({ type: 'session.update', session: { turn_detection: { type: 'server_vad', create_response: false } } })
  speak(session, 1_500)
  const { item_id } = await session.next('input_audio_buffer.committed')
  session.send({ type: 'conversation.item.delete', item_id })
  await session.next('conversation.item.deleted')
  speak(session, 1_500)
  await session.next(completed)
  t.is(session.listener.followed[0]!.state, 'closed')
  t.is(session.only(completed).length, 1)
})

function semantic(session: TestSession, finished: number): void {
  session.listener.follows = heard
  session.listener.finished = finished
  session.send({ type: 'session.update', session: { turn_detection: { type: 'semantic_vad' } } })
}

test('a pause of somebody who has finished ends the turn soon, and one in the middle does not', (t) => {
  for (const [finished, turns] of [
    [1, 2],
    [0, 1],
  ] as const) {
    const session = aSession(t)
    semantic(session, finished)
    append(session, 400, false)
    for (let sentence = 0; sentence < 2; sentence += 1) {
      append(session, 1_000, true)
      append(session, 600, false)
    }
    append(session, 600, false)
    t.is(session.only('input_audio_buffer.speech_stopped').length, turns, `${finished}`)
  }
})

test('what was thought of a pause is forgotten when somebody goes on', (t) => {
  const session = aSession(t)
  semantic(session, 1)
  append(session, 400, false)
  append(session, 1_000, true)
  append(session, 160, false)
  append(session, 1_000, true)
  append(session, 100, false)
  t.is(session.only('input_audio_buffer.speech_stopped').length, 0)
  append(session, 200, false)
  t.is(session.only('input_audio_buffer.speech_stopped').length, 1)
})

test('turns whose words nobody wants are followed where the words end them', (t) => {
  const session = aSession(t)
  session.listener.follows = heard
  const turn_detection = { type: 'semantic_vad', create_response: false }
  session.send({ type: 'session.update', session: { turn_detection } })
  speak(session, 2_000)
  t.is(session.listener.followed.length, 1)
  t.is(session.listener.followed[0]!.options.tell, undefined)
})

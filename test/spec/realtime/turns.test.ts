import test from 'ava'

import { retryable } from '../../../actors/failure.ts'
import { eventually } from '../../support/eventually.ts'
import { aManualClock } from '../../support/manual-clock.ts'
import { says } from '../../support/realtime-fakes.ts'
import { aSession, append, audioOf, speak, userSays } from '../../support/realtime-session.ts'

test('the times of turns are counted from the beginning of the session', async (t) => {
  const session = aSession(t)
  speak(session) // 400 ms of silence, 500 of speech, 800 of silence
  await session.next('response.done')
  speak(session)
  await session.next('response.done')
  const starts = session.only('input_audio_buffer.speech_started').map(({ audio_start_ms }) => audio_start_ms)
  const ends = session.only('input_audio_buffer.speech_stopped').map(({ audio_end_ms }) => audio_end_ms)
  t.true(Math.abs(starts[0] - 100) <= 35, `${starts[0]}`)
  t.true(Math.abs(ends[0] - 1_400) <= 40, `${ends[0]}`)
  t.true(Math.abs(starts[1] - 1_800) <= 35, `${starts[1]}`)
  t.true(Math.abs(ends[1] - 3_100) <= 40, `${ends[1]}`)
  const heard = session.listener.asked.map(({ samples }) => samples / 16)
  t.true(Math.abs(heard[0]! - 1_300) <= 70, `${heard[0]}`)
})

test('who is silent for most of an hour is heard when it speaks at last, at its time', async (t) => {
  const clock = aManualClock()
  const session = aSession(t, { clock })
  const silence = audioOf(10_000, false)
  for (let seconds = 0; seconds < 3_000; seconds += 10) {
    session.send({ type: 'input_audio_buffer.append', audio: silence })
    clock.advance(10_000)
  }
  t.is(session.only('error').length, 0)
  speak(session)
  const { audio_start_ms: startMs } = await session.next('input_audio_buffer.speech_started')
  t.true(Math.abs(startMs - 3_000_100) <= 35, `${startMs}`)
  const { samples } = await eventually('it is heard', () => session.listener.asked[0])
  t.true(Math.abs(samples / 16 - 1_300) <= 70, `${samples}`)
})

test('all events of a turn name the same item, in both dialects', async (t) => {
  for (const dialect of ['ga', 'beta'] as const) {
    const session = aSession(t, { dialect })
    session.send({ type: 'session.update', session: { input_audio_transcription: {} } })
    speak(session)
    await session.next('response.done')
    const ids = session.events.filter(({ type }) => /^input_audio_buffer|transcription/.test(type))
    t.is(new Set(ids.map(({ item_id }) => item_id)).size, 1)
    t.deepEqual(
      [...new Set(ids.map(({ type }) => type))],
      [
        'input_audio_buffer.speech_started',
        'input_audio_buffer.speech_stopped',
        'input_audio_buffer.committed',
        'conversation.item.input_audio_transcription.delta',
        'conversation.item.input_audio_transcription.completed',
      ],
    )
  }
})

test('a transcription is told piece by piece, then whole, with what it cost', async (t) => {
  const session = aSession(t)
  session.send({
    type: 'session.update',
    session: { type: 'realtime', audio: { input: { transcription: { language: 'hi', keywords: ['Pune'] } } } },
  })
  session.listener.next.push('kal Pune jaana hai')
  speak(session)
  const { event_id: _, ...completed } = await session.next('conversation.item.input_audio_transcription.completed')
  const deltas = session.only('conversation.item.input_audio_transcription.delta')
  t.is(deltas.map(({ delta }) => delta).join(''), 'kal Pune jaana hai')
  t.true(deltas.length > 1)
  t.like(completed, {
    content_index: 0,
    transcript: 'kal Pune jaana hai',
    usage: { type: 'duration' },
    languages: [{ code: 'en' }],
  })
  t.like(session.listener.asked[0]!.options, { language: 'hi', keywords: ['Pune'] })
})

test('without transcription nothing is told, and the model still reads what was said', async (t) => {
  const session = aSession(t)
  speak(session)
  await session.next('response.done')
  t.false(session.types().some((type) => type.includes('transcription')))
  t.deepEqual(session.model.asked[0]!.turns, [{ kind: 'said', by: 'user', text: 'hello there', language: 'en' }])
})

test('sound that cannot be heard is told, and its response fails', async (t) => {
  const session = aSession(t)
  session.send({ type: 'session.update', session: { type: 'realtime', audio: { input: { transcription: {} } } } })
  session.listener.next.push(retryable('overloaded', 'No recogniser is free. Try again.'))
  speak(session)
  const { error } = await session.next('conversation.item.input_audio_transcription.failed')
  t.deepEqual(error, { type: 'transcription_error', code: 'overloaded', message: 'No recogniser is free. Try again.' })
  const { response } = await session.next('response.done')
  t.like(response, { status: 'failed', status_details: { error: { code: 'overloaded' } } })
})

test('a noise without words is not answered', async (t) => {
  const session = aSession(t)
  session.listener.next.push('')
  speak(session)
  const { response } = await session.next('response.done')
  t.like(response, { status: 'completed' })
  t.deepEqual(response.output, [])
  t.deepEqual(session.model.asked, [])
})

test('a turn by hand: commit makes an item and no response', async (t) => {
  for (const dialect of ['ga', 'beta'] as const) {
    const session = aSession(t, { dialect })
    session.send({ type: 'session.update', session: { turn_detection: null } })
    append(session, 300, true)
    const before = session.events.length
    session.send({ type: 'input_audio_buffer.commit' })
    const told = session.events.slice(before)
    t.deepEqual(
      told.map(({ type }) => type),
      dialect === 'ga'
        ? ['input_audio_buffer.committed', 'conversation.item.added', 'conversation.item.done']
        : ['input_audio_buffer.committed', 'conversation.item.created'],
    )
    t.deepEqual(Object.keys(told[0]!), ['type', 'event_id', 'previous_item_id', 'item_id'])
    t.deepEqual(told[1]!['item'].content, [{ type: 'input_audio', transcript: null }])
    t.is(session.detector.open, 0)
    session.send({ type: 'response.create' })
    await session.next('response.done')
    t.true(Math.abs(session.listener.asked[0]!.samples - 4_800) <= 1)
  }
})

test('a commit takes what was not judged yet, with turn detection too', async (t) => {
  const session = aSession(t)
  append(session, 200, false)
  session.send({ type: 'input_audio_buffer.commit' })
  t.is(session.only('input_audio_buffer.committed').length, 1)
  speak(session)
  await session.next('response.done')
  t.is(session.only('input_audio_buffer.committed').length, 2)
})

test('what is cleared is gone', (t) => {
  const session = aSession(t)
  session.send({ type: 'session.update', session: { turn_detection: null } })
  append(session, 300, true)
  session.send({ type: 'input_audio_buffer.clear' })
  t.deepEqual(Object.keys(session.events.at(-1)!), ['type', 'event_id'])
  session.send({ type: 'input_audio_buffer.commit' })
  t.like(session.events.at(-1)!['error'], { code: 'input_audio_buffer_commit_empty' })
})

test('exactly 100 ms can be committed and less cannot', (t) => {
  const session = aSession(t)
  session.send({ type: 'session.update', session: { turn_detection: null } })
  session.send({ type: 'input_audio_buffer.append', audio: audioOf(99, true) })
  session.send({ type: 'input_audio_buffer.commit' })
  t.regex(session.events.at(-1)!['error'].message, /but buffer only has 99\.00ms of audio\.$/)
  session.send({ type: 'input_audio_buffer.append', audio: audioOf(1, true) })
  session.send({ type: 'input_audio_buffer.commit' })
  t.is(session.only('input_audio_buffer.committed').length, 1)
})

test('turns are told and not answered when no response is wanted', (t) => {
  const session = aSession(t)
  session.send({
    type: 'session.update',
    session: { turn_detection: { type: 'server_vad', create_response: false, interrupt_response: false } },
  })
  speak(session)
  t.is(session.only('input_audio_buffer.committed').length, 1)
  t.is(session.only('response.created').length, 0)
})

test('semantic turn detection is accepted and answers turns', async (t) => {
  const session = aSession(t)
  session.send({
    type: 'session.update',
    session: { type: 'realtime', audio: { input: { turn_detection: { type: 'semantic_vad', eagerness: 'high' } } } },
  })
  speak(session)
  t.is((await session.next('response.done'))['response'].status, 'completed')
})

test('who may not interrupt is heard and told that an answer runs', async (t) => {
  const session = aSession(t)
  session.send({
    type: 'session.update',
    session: { turn_detection: { type: 'server_vad', interrupt_response: false } },
  })
  session.model.next.push([new Promise(() => undefined)])
  session.send({ type: 'response.create' })
  speak(session)
  t.is(session.only('response.done').length, 0)
  t.is(session.only('input_audio_buffer.committed').length, 1)
  t.like(session.events.at(-1)!['error'], { code: 'conversation_already_has_active_response', event_id: null })
})

test('after an interruption the model reads only what was heard by then', async (t) => {
  const clock = aManualClock()
  const session = aSession(t, { clock }) // everything is sent at once, 100 ms for each word
  session.model.next.push([
    { kind: 'text', delta: 'One two three four five six seven. ' },
    new Promise(() => undefined),
  ])
  session.send(userSays('count'))
  session.send({ type: 'response.create' })
  for (let pieces = 0; pieces < 4; pieces += 1) await session.next('response.output_audio.delta')
  clock.advance(450)
  speak(session)
  await session.next('response.created')
  await session.next('response.done')
  const [, said] = session.model.asked.at(-1)!.turns
  t.deepEqual(said, { kind: 'said', by: 'assistant', text: 'One two three four' })
})

test('an answer that is still being played when somebody speaks was not heard to its end', async (t) => {
  const clock = aManualClock()
  const session = aSession(t, { clock })
  session.model.next.push(says('One two three four five six seven.'))
  session.send({ type: 'response.create' })
  await session.next('response.done')
  clock.advance(250)
  speak(session)
  await session.next('response.done')
  t.deepEqual(session.model.asked.at(-1)!.turns[0], { kind: 'said', by: 'assistant', text: 'One two' })
})

test('silence after an answer asks the model again', async (t) => {
  const session = aSession(t)
  session.send({ type: 'session.update', session: { turn_detection: { type: 'server_vad', idle_timeout_ms: 100 } } })
  append(session, 500, false)
  session.send({ type: 'response.create' })
  const first = await session.next('response.done')
  const timeout = await session.next('input_audio_buffer.timeout_triggered')
  t.deepEqual(Object.keys(timeout), ['type', 'event_id', 'audio_start_ms', 'audio_end_ms', 'item_id'])
  t.is(timeout['audio_start_ms'], 0)
  t.true(Math.abs(timeout['audio_end_ms'] - 500) <= 5, `${timeout['audio_end_ms']}`)
  t.is((await session.next('input_audio_buffer.committed'))['item_id'], timeout['item_id'])
  const second = await session.next('response.done')
  t.not(second['response'].id, first['response'].id)
  session.running.end()
})

test('a turn that does not end is ended', async (t) => {
  const session = aSession(t, { limits: { turnSeconds: 2 } })
  session.send({ type: 'session.update', session: { input_audio_transcription: {} } })
  append(session, 3_000, true)
  t.is(session.only('input_audio_buffer.committed').length, 1)
  await session.next('conversation.item.input_audio_transcription.completed')
  t.true(session.listener.asked[0]!.samples <= 2 * 16_000 + 512)
})

for (const seconds of [31, 45, 240])
  test(`somebody who speaks for ${seconds} seconds has one turn`, async (t) => {
    const session = aSession(t)
    session.send({ type: 'session.update', session: { input_audio_transcription: {} } })
    speak(session, seconds * 1_000)
    await session.next('conversation.item.input_audio_transcription.completed')
    t.is(session.only('input_audio_buffer.committed').length, 1)
    t.is(session.only('error').length, 0)
    t.true(session.listener.asked[0]!.samples >= seconds * 16_000)
  })

test('only so many turns wait to be heard', (t) => {
  const session = aSession(t, { limits: { transcriptions: 1 } })
  session.send({ type: 'session.update', session: { turn_detection: null, input_audio_transcription: {} } })
  for (let turn = 0; turn < 2; turn += 1) {
    append(session, 200, true)
    session.send({ type: 'input_audio_buffer.commit', event_id: `turn ${turn}` })
  }
  t.is(session.only('input_audio_buffer.committed').length, 1)
  const { error } = session.events.at(-1)!
  t.like(error, { type: 'rate_limit_error', code: 'rate_limit_exceeded', event_id: 'turn 1' })
})

test('what nobody asks about is not heard, and what is asked about later is', async (t) => {
  const session = aSession(t, { limits: { untranscribedSeconds: 2 } })
  session.send({ type: 'session.update', session: { turn_detection: { type: 'server_vad', create_response: false } } })
  for (let turn = 0; turn < 3; turn += 1) speak(session)
  t.is(session.only('input_audio_buffer.committed').length, 3)
  t.deepEqual(session.listener.asked, [])
  session.listener.next.push('the newest')
  session.send({ type: 'response.create' })
  await session.next('response.done')
  // 1.3 seconds each: the audio of the two older ones is forgotten
  t.is(session.listener.asked.length, 1)
  t.deepEqual(session.model.asked[0]!.turns, [{ kind: 'said', by: 'user', text: 'the newest', language: 'en' }])
})

for (const dialect of ['ga', 'beta'] as const)
  test(`a transcription session in ${dialect} hears turns and answers none`, async (t) => {
    const session = aSession(t, { dialect, kind: 'transcription' })
    speak(session)
    const { transcript } = await session.next('conversation.item.input_audio_transcription.completed')
    t.is(transcript, 'hello there')
    t.false(session.types().some((type) => type.startsWith('response.')))
  })

test('every stage from voice to voice is measured', async (t) => {
  const session = aSession(t)
  session.send({ type: 'session.update', session: { type: 'realtime', include: ['vaak.metrics'] } })
  speak(session)
  const metrics = await session.next('vaak.metrics')
  t.deepEqual(session.measured.map(([stage]) => stage).toSorted(), [
    'asr_ms',
    'llm_ttft_ms',
    'tts_ttfb_ms',
    'vad_ms',
    'voice_to_voice_ms',
  ])
  for (const stage of ['vad_ms', 'asr_ms', 'llm_ttft_ms', 'tts_ttfb_ms', 'voice_to_voice_ms'])
    t.true(metrics[stage] >= 0, stage)
})

import test from 'ava'
import * as fc from 'fast-check'

import { calls, says } from '../../support/realtime-fakes.ts'
import { aSession, audioOf } from '../../support/realtime-session.ts'

const audio = audioOf(120, true)
const silence = audioOf(600, false)
const tool = { type: 'function', name: 'f', description: 'd', parameters: { type: 'object', properties: {} } }

/** One of each event, as clients send them. */
const samples: readonly object[] = [
  { type: 'session.update', session: { type: 'realtime', instructions: 'x', tools: [tool], tool_choice: 'auto' } },
  { type: 'session.update', session: { turn_detection: { type: 'server_vad', threshold: 0.5 }, voice: 'alloy' } },
  { type: 'session.update', session: { type: 'realtime', audio: { input: { turn_detection: null } } } },
  { type: 'session.update', session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcmu' } } } } },
  { type: 'transcription_session.update', session: { input_audio_format: 'pcm16' } },
  { type: 'input_audio_buffer.append', audio: audio },
  { type: 'input_audio_buffer.append', audio: silence },
  { type: 'input_audio_buffer.commit' },
  { type: 'input_audio_buffer.clear' },
  {
    type: 'conversation.item.create',
    previous_item_id: 'root',
    item: { id: 'a', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
  },
  {
    type: 'conversation.item.create',
    item: { id: 'b', type: 'message', role: 'user', content: [{ type: 'input_audio', audio: audio }] },
  },
  { type: 'conversation.item.create', item: { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' } },
  { type: 'conversation.item.create', item: { type: 'function_call_output', call_id: 'c', output: '1' } },
  { type: 'conversation.item.retrieve', item_id: 'a' },
  { type: 'conversation.item.truncate', item_id: 'item_9', content_index: 0, audio_end_ms: 10 },
  { type: 'conversation.item.delete', item_id: 'b' },
  { type: 'response.create' },
  { type: 'response.create', response: { conversation: 'none', metadata: { a: 'b' }, input: [] } },
  { type: 'response.create', response: { modalities: ['text'], tool_choice: 'required', tools: [tool] } },
  { type: 'response.cancel' },
  { type: 'output_audio_buffer.clear' },
]

const junk = fc.oneof(
  fc.constantFrom(null, '', 0, -1, 1e308, true, [], {}, '__proto__', 'constructor', 'root', '\u0000', '💥'),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ maxLength: 40 }),
)

/** An event with a value somewhere inside replaced, removed or added. */
const mutated = fc
  .record({ sample: fc.constantFrom(...samples), path: fc.array(fc.nat(9), { maxLength: 5 }), junk, how: fc.nat(3) })
  .map(({ sample, path, junk: value, how }) => {
    const event = structuredClone(sample) as Record<string, unknown>
    let at = event
    for (const step of path) {
      const keys = Object.keys(at)
      const key = keys[step % Math.max(1, keys.length)]
      const inside = key === undefined ? undefined : at[key]
      if (key === undefined) break
      if (typeof inside === 'object' && inside !== null) {
        at = inside as Record<string, unknown>
        continue
      }
      if (how === 0) delete at[key]
      else if (how === 1) at[JSON.stringify(value)] = value
      else if (how === 2) at[key] = value
      break
    }
    return JSON.stringify(event)
  })

const frame = fc.oneof(
  { arbitrary: mutated, weight: 20 },
  { arbitrary: fc.string({ maxLength: 200 }), weight: 1 },
  { arbitrary: fc.json(), weight: 1 },
)

const framesEach = 50
const limits = { responsesPerMinute: 1_000 }

for (const dialect of ['ga', 'beta'] as const)
  test(`five thousand mutated events in ${dialect} never throw, and nothing follows the end`, async (t) => {
    const batch = fc.array(frame, { minLength: framesEach, maxLength: framesEach, size: 'max' })
    await fc.assert(
      fc.asyncProperty(batch, fc.nat(framesEach), async (frames, endAt) => {
        const session = aSession(t, { dialect, limits })
        session.model.next.push(says('Hello you.'), calls('f', '{}'), says('Bye.'))
        for (const [index, text] of frames.entries()) {
          session.sendRaw(text)
          if (index === endAt) session.running.end()
          if (index % 7 === 0) await new Promise(setImmediate)
        }
        session.running.end()
        const told = session.events.length
        await new Promise(setImmediate)
        check(session.events.length === told, 'something was told after the end')
        check(session.log.lines.length === 0, session.log.lines[0])
        for (const event of session.events) check(event.type && event['event_id'], event)
        for (const { error } of session.only('error'))
          check(error.code !== 'internal_error' && typeof error.message === 'string', error)
      }),
      { numRuns: 100 },
    )
    t.pass()
  })

function check(holds: unknown, what: unknown): void {
  if (!holds) throw new Error(JSON.stringify(what))
}

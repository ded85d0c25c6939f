import type { ExecutionContext, TestFn } from 'ava'

import type {
  AnswerPart,
  ConversationModel,
  Listener,
  SpeechDetector,
  SpeechFrame,
  SpokenClause,
  Voices,
} from '../../actors/conversation/ports.ts'
import { eventually } from '../support/eventually.ts'

type Open<Port> = (t: ExecutionContext) => Port | Promise<Port>

const frame = 512
const never = new AbortController().signal
const gone = AbortSignal.abort(new Error('nobody wants it any more'))

/** What tells speech from silence owes a session. */
export function detectorContract(test: TestFn, open: Open<SpeechDetector>): void {
  test('each frame is told once, in order, however the sound was cut', async (t) => {
    const detector = await open(t)
    const told: SpeechFrame[] = []
    const input = detector.listen((speech) => void told.push(speech), 16_000)
    for (const samples of [100, 1_000, 3, 4_017]) input.push(new Int16Array(samples))
    await eventually('all frames are told', () => told.length === 10)
    t.deepEqual(
      told.map(({ startSample }) => startSample),
      Array.from({ length: 10 }, (_, index) => index * frame),
    )
    t.true(told.every(({ probability }) => probability >= 0 && probability < 0.5))
    input.close()
  })

  for (const rate of [8_000, 24_000])
    test(`sound at ${rate} Hz is told in frames of the same length`, async (t) => {
      const detector = await open(t)
      const told: number[] = []
      const input = detector.listen(({ startSample }) => void told.push(startSample), rate)
      // the last of them may wait for a little of the next
      for (let piece = 0; piece < 11; piece += 1) input.push(new Int16Array((frame * rate) / 16_000))
      await eventually('its frames are told', () => told.length >= 10)
      t.deepEqual(
        told.slice(0, 10),
        Array.from({ length: 10 }, (_, index) => index * frame),
      )
      input.close()
    })

  test('a session does not hear the frames of another', async (t) => {
    const detector = await open(t)
    const told: number[] = []
    const quiet = detector.listen(() => void told.push(1), 24_000)
    const other = detector.listen(() => void told.push(2), 16_000)
    other.push(new Int16Array(3 * frame))
    await eventually('its frames are told', () => told.length === 3)
    t.deepEqual(told, [2, 2, 2])
    quiet.close()
    other.close()
  })

  test('nothing is told after the end', async (t) => {
    const detector = await open(t)
    let told = 0
    const closed = detector.listen(() => void (told += 1), 16_000)
    const open_ = detector.listen(() => void (told += 100), 16_000)
    closed.push(new Int16Array(frame - 1))
    closed.close()
    closed.push(new Int16Array(frame))
    open_.push(new Int16Array(frame))
    await eventually('the other is still told', () => told >= 100)
    t.is(told, 100)
    open_.close()
  })
}

/** What hears owes a session. */
export function listenerContract(test: TestFn, open: Open<Listener>): void {
  test('the pieces together are the whole text', async (t) => {
    const listener = await open(t)
    const pieces: string[] = []
    const heard = await listener.transcribe(new Float32Array(16_000), {
      signal: never,
      tell: (piece) => void pieces.push(piece),
    })
    t.is(pieces.join(''), heard.text)
    t.is(heard.seconds, 1)
  })

  test('what nobody wants any more is not heard', async (t) => {
    const listener = await open(t)
    await t.throwsAsync(async () => listener.transcribe(new Float32Array(16_000), { signal: gone }))
  })
}

/** What answers owes a session. */
export function modelContract(test: TestFn, open: Open<ConversationModel>): void {
  const request = {
    instructions: 'Be brief.',
    turns: [{ kind: 'said', by: 'user', text: 'Hello.' }],
    tools: [],
    toolChoice: 'none',
  } as const

  test('an answer says something and ends once', async (t) => {
    const model = await open(t)
    const parts: AnswerPart[] = []
    for await (const part of model.answer(request, never)) parts.push(part)
    t.is(parts.filter(({ kind }) => kind === 'end').length, 1)
    t.is(parts.at(-1)!.kind, 'end')
    t.true(parts.some((part) => part.kind === 'text' && part.delta !== ''))
  })

  test('an answer that nobody wants any more ends with the reason', async (t) => {
    const model = await open(t)
    const error = await t.throwsAsync(async () => {
      for await (const part of model.answer(request, gone)) t.fail(part.kind)
    })
    t.is(error, gone.reason as Error)
  })
}

/** What speaks owes a session; what else it owes its users is in voices.ts. */
export function speakingContract(test: TestFn, open: Open<Voices>): void {
  const text = 'One two three. Four five, six!'

  async function spoken(voices: Voices, signal: AbortSignal): Promise<SpokenClause[]> {
    const clauses: SpokenClause[] = []
    for await (const clause of voices.speak(letterByLetter(text), { voice: voices.list()[0]!.id, signal }))
      clauses.push(clause)
    return clauses
  }

  test('a voice is found by its id, and nothing by nonsense', async (t) => {
    const voices = await open(t)
    const ids = voices.list().map(({ id }) => id)
    t.true(ids.length > 0)
    t.is(new Set(ids).size, ids.length)
    for (const id of ids) t.is(voices.find(id)?.id, id)
    t.is(voices.find('nobody at all'), undefined)
  })

  test('the clauses together are the whole text, and their words lie in them one after the other', async (t) => {
    const clauses = await spoken(await open(t), never)
    t.is(clauses.map((clause) => clause.text).join(''), text)
    for (const clause of clauses) {
      let at = 0
      let endMs = 0
      for (const word of clause.words) {
        const found = clause.text.indexOf(word.text, at)
        t.true(found >= at, `${word.text} in ${clause.text}`)
        t.true(word.startMs >= endMs - 1 && word.endMs >= word.startMs)
        at = found + word.text.length
        endMs = word.endMs
      }
      t.true(endMs <= clause.samples.length / 24 + 1)
    }
  })

  test('what nobody wants any more is not spoken', async (t) => {
    const voices = await open(t)
    await t.throwsAsync(() => spoken(voices, gone))
  })
}

async function* letterByLetter(text: string): AsyncGenerator<string> {
  for (const letter of text) yield letter
}

import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'

import { principalOf } from '../../../infra/identity/principal.ts'
import { modelTime } from '../../../infra/speech/threads/model-time.ts'
import { createESpeak } from '../../../infra/speech/tts/espeak/espeak.ts'
import type { ESpeak } from '../../../infra/speech/tts/espeak/espeak.ts'
import { createLightEngine } from '../../../infra/speech/tts/light.ts'
import { openVoices } from '../../../infra/speech/tts/open-voices.ts'
import { roster } from '../../../infra/speech/tts/roster.ts'
import { createVoices } from '../../../infra/speech/tts/voices.ts'
import { spokenRate } from '../../../actors/conversation/ports.ts'
import { FailureError } from '../../../actors/failure.ts'
import { collected, never, spoken } from '../../contract/voices.ts'
import { eventually } from '../../support/eventually.ts'
import { silentLog } from '../../support/silent-log.ts'

const voices = openVoices({ engine: 'light', cacheDir: '', modelDir: '', voicesFile: '', log: silentLog })
test.after.always(() => voices.close())

const sentence = 'This is a sentence that is spoken once more. '
/** A busy machine takes long to do little. */
const patienceMs = 90_000
const request = { voice: 'en-us+m3', rate: 160, pitch: 50, range: 50, stretch: 1, audio: true }

for (const [voice, name, text] of [
  ['asha', 'emoji', '👩‍👩‍👧‍👦🏳️‍🌈 hello 😀😀😀'],
  ['kavya', 'control characters', 'a\u0000b\u0007c\u001b[31md\u009f'],
  ['maya', 'right to left', 'مرحبا بالعالم \u202eשלום עולם\u202c'],
  ['asha', 'zero width', 'z\u200be\u200cr\u200do\ufeff\u2060 width'],
  ['kavya', 'lone surrogates', 'a\ud800b \udfff \ud83d'],
  ['maya', 'markup', '<speak><break time="100s"/></speak> [[h@l@U]] <audio src="/etc/passwd"/>'],
  ['asha', 'stacked marks', `e${'\u0301'.repeat(200)} क${'्'.repeat(200)}`],
  ['kavya', 'only digits', '9'.repeat(240)],
  ['maya', 'one long word', 'क'.repeat(240)],
  ['asha', 'scripts nobody asked for', '日本語 한국어 Ελληνικά Кириллица ไทย'],
] as const)
  test.serial(`${voice} can be given ${name}, and the text stays whole`, async (t) => {
    const clauses = await spoken(voices, [text], { voice })
    t.is(clauses.map((clause) => clause.text).join(''), text)
  })

test.serial(
  'a hundred thousand characters are spoken clause by clause, and only as far as anybody listens',
  async (t) => {
    const abort = new AbortController()
    const text = 'सौ हज़ार अक्षर, '.repeat(7_000)
    t.true(text.length > 100_000)
    let clauses = 0
    const speaking = (async () => {
      for await (const clause of voices.speak(once(text), { voice: 'asha', signal: abort.signal })) {
        t.true(clause.text.length <= 240)
        clauses += 1
        if (clauses === 3) abort.abort(new Error('enough'))
      }
    })()
    await t.throwsAsync(speaking, { message: 'enough' })
    t.is(clauses, 3)
  },
)

test.serial('no text of whatever Unicode ends, hangs or changes a process, and all of it comes back', async (t) => {
  const espeak = anESpeak(t, { processes: 1, requestMs: 30_000 })
  const tried = createVoices({ engine: async () => createLightEngine(espeak), recipes: roster, close: async () => {} })
  await spoken(tried, ['ready'], { voice: 'maya' })
  const before = espeak.pids()
  const anyText = fc.string({ unit: 'binary', maxLength: 300 })
  const anyVoice = fc.constantFrom('asha', 'kavya', 'maya')
  await fc.assert(
    fc.asyncProperty(anyText, anyVoice, async (text, voice) => {
      const clauses = await spoken(tried, [text], { voice })
      t.is(clauses.map((clause) => clause.text).join(''), text)
    }),
    { numRuns: 30 },
  )
  t.deepEqual(espeak.pids(), before)
})

// npm run fuzz -- --seed 11 --from 59852 --requests 1
test.serial('signs that are spelt at great length do not end the process, and have an end themselves', async (t) => {
  const espeak = anESpeak(t, { processes: 1 })
  const tried = createVoices({ engine: async () => createLightEngine(espeak), recipes: roster, close: async () => {} })
  await spoken(tried, ['ready'], { voice: 'meena' })
  const before = espeak.pids()
  const clauses = await spoken(tried, ['ﷺ'.repeat(50)], { voice: 'meena', speed: 0.25 })
  const seconds = clauses.reduce((sum, { samples }) => sum + samples.length, 0) / spokenRate
  t.true(seconds > 60 && seconds < 800, `${seconds} s`)
  t.deepEqual(espeak.pids(), before)
})

test.serial('the process gives way to who serves requests', async (t) => {
  const espeak = anESpeak(t, { processes: 1 })
  await espeak.speak({ ...request, text: 'ready' }, never())
  t.deepEqual(espeak.pids().map(getPriority), [Math.max(9, getPriority())])
})

test.serial(
  'who had much of the models lately has processes that give way to everything, in sessions of their own',
  async (t) => {
    const espeak = anESpeak(t, { processes: 1 })
    const greedy = principalOf('issuer', 'greedy').owner
    await espeak.speak({ ...request, text: 'ready' }, never())
    modelTime.charge(greedy, 1_000_000)
    await espeak.speak({ ...request, text: 'spoken by the usual one while theirs begins' }, never(), greedy)
    const [usual, patient] = await eventually(
      'theirs gives way',
      () => {
        const pids = espeak.pids()
        return pids.length > 1 && getPriority(pids[1]) === 19 && sessionOf(pids[1]!) === pids[1] ? pids : undefined
      },
      patienceMs,
    )
    await espeak.speak({ ...request, text: 'ready' }, never(), greedy)
    t.deepEqual(espeak.pids(), [usual, patient])
    t.is(sessionOf(usual!), sessionOf(process.pid))
    t.is(sessionOf(patient!), patient!)
    const autogroup = `/proc/${patient}/autogroup` // where Linux shares the processor between sessions
    if (existsSync(autogroup)) t.regex(readFileSync(autogroup, 'utf8'), / nice 10\n$/)
  },
)

/** The fourth behind the name. */
function sessionOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[3])
}

test.serial('the engine itself takes any characters, cleaned or not', async (t) => {
  const espeak = anESpeak(t, { processes: 1, requestMs: 30_000 })
  await espeak.speak({ ...request, text: 'ready' }, never())
  const before = espeak.pids()
  const anyText = fc.string({ unit: 'grapheme', maxLength: 200 })
  const anyLanguage = fc.constantFrom('hi+f2', 'ta+f3', 'en-us+m3')
  await fc.assert(
    fc.asyncProperty(anyText, anyLanguage, async (text, voice) => {
      await espeak.speak({ ...request, voice, text: text.toWellFormed() }, never())
    }),
    { numRuns: 30 },
  )
  t.deepEqual(espeak.pids(), before)
})

test.serial(
  'a process that is killed in the middle of a sentence is replaced, and the sentence is spoken all the same',
  async (t) => {
    const espeak = anESpeak(t)
    const speaking = espeak.speak({ ...request, text: sentence.repeat(5) }, never())
    const [pid] = await eventually('it runs', () => (espeak.pids().length > 0 ? espeak.pids() : undefined), patienceMs)
    process.kill(pid!, 'SIGKILL')
    t.true((await speaking).samples.length > 0)
    t.false(espeak.pids().includes(pid!))
  },
)

test.serial('a process that rests and is killed is not missed', async (t) => {
  const espeak = anESpeak(t)
  await espeak.speak({ ...request, text: 'one' }, never())
  for (const pid of espeak.pids()) process.kill(pid, 'SIGKILL')
  await eventually('it is gone', () => espeak.pids().length === 0, patienceMs)
  t.true((await espeak.speak({ ...request, text: 'two' }, never())).samples.length > 0)
})

test.serial('a request that takes too long ends its process and fails in a sentence', async (t) => {
  const espeak = anESpeak(t, { requestMs: 1, attempts: 1 })
  const error = await t.throwsAsync(espeak.speak({ ...request, text: sentence.repeat(80) }, never()), {
    instanceOf: FailureError,
  })
  t.regex(error?.message ?? '', /limit/)
  await eventually('it is gone', () => espeak.pids().length === 0, patienceMs)
})

test.serial('a process is replaced after so many requests', async (t) => {
  const espeak = anESpeak(t, { processes: 1, requestsPerProcess: 1 })
  await espeak.speak({ ...request, text: 'one' }, never())
  const first = espeak.pids()
  await espeak.speak({ ...request, text: 'two' }, never())
  for (const pid of espeak.pids()) t.false(first.includes(pid))
})

test.serial('whoever cancels does not wait for the engine, and the next in line does not suffer', async (t) => {
  const espeak = anESpeak(t, { processes: 1 })
  const abort = new AbortController()
  const long = espeak.speak({ ...request, text: sentence.repeat(20) }, abort.signal)
  const waiting = espeak.speak({ ...request, text: 'next' }, never())
  let nextIsDone = false
  const next = waiting.finally(() => (nextIsDone = true))
  abort.abort(new Error('barge-in'))
  await t.throwsAsync(long, { message: 'barge-in' })
  t.false(nextIsDone, 'the engine is still at work for the one who left')
  t.true((await next).samples.length > 0)
})

test.serial(
  'who comes while another speaks waits for no new process where the one at work is free first',
  async (t) => {
    const espeak = anESpeak(t, { processes: 2 })
    await espeak.speak({ ...request, text: 'ready' }, never())
    const [atWork] = espeak.pids()
    const both = ['one', 'two'].map((text) => espeak.speak({ ...request, text }, never()))
    const begun = await eventually('another begins', () => espeak.pids().find((pid) => pid !== atWork), patienceMs)
    process.kill(begun, 'SIGSTOP')
    for (const { samples } of await Promise.all(both)) t.true(samples.length > 0)
    process.kill(begun, 'SIGCONT')
    const third = ['three', 'four', 'five'].map((text) => espeak.speak({ ...request, text }, never()))
    for (const { samples } of await Promise.all(third)) t.true(samples.length > 0)
    t.true(espeak.pids().length <= 2)
  },
)

test.serial('many speak at once, and each hears its own words', async (t) => {
  const texts = Array.from({ length: 12 }, (_, at) => `Number ${at}. Done.`)
  const all = await Promise.all(
    texts.map((text) => collected(voices.speak(once(text), { voice: 'neil', signal: never() }))),
  )
  t.deepEqual(
    all.map((clauses) => clauses.map(({ text }) => text).join('')),
    texts,
  )
})

function anESpeak(t: ExecutionContext, limits: Parameters<typeof createESpeak>[0] = {}): ESpeak {
  const espeak = createESpeak(limits)
  t.teardown(() => espeak.close())
  return espeak
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

import { setImmediate as settled } from 'node:timers/promises'

import test from 'ava'

import { LiveTurn } from '../../../infra/speech/engine/live/live-turn.ts'
import type { LiveParts } from '../../../infra/speech/engine/live/live-turn.ts'
import type { ForeseenStretch } from '../../../infra/speech/asr/foreseen.ts'
import type { Word } from '../../../infra/speech/asr/recogniser.ts'
import { Slots } from '../../../infra/speech/threads/slots.ts'
import { aManualClock } from '../../support/manual-clock.ts'

const rate = 16_000

/** Words of half a second each; what is cut off is misheard, and each word is heard right once there is more behind it. */
const said = 'एक दो तीन चार पाँच छह सात आठ नौ दस'.split(' ')
const wordSeconds = 0.5

interface Scene {
  readonly turn: LiveTurn
  readonly told: string[]
  /** How likely the speaker had finished, at each pause. */
  readonly judged: number[]
  /** Seconds of audio in each look. */
  readonly looks: number[]
  /** The stretch that each look was to expect. */
  readonly expected: (ForeseenStretch | undefined)[]
  readonly slots: Slots
  readonly say: (seconds: number, isPause?: boolean) => Promise<void>
}

interface SceneOptions {
  readonly isTold?: boolean
  readonly hear?: (from: number, to: number) => Word[]
  /** What is heard before somebody hears a part of it again. */
  readonly hearFirst?: (words: readonly Word[]) => readonly Word[]
  readonly flags?: readonly string[]
  /** Of a transcript as a whole. */
  readonly confidence?: number
  /** Looks that last until nobody wants them, by their number. */
  readonly isEndless?: (look: number) => boolean
  readonly isAnswered?: boolean
  /** So many samples of what came are read with what comes next: a filter looks ahead. */
  readonly lag?: number
}

function aScene(options: SceneOptions = {}): Scene {
  const { isTold = true, hear = wordsBetween, hearFirst, isEndless, lag = 0, isAnswered = false } = options
  const { flags = [], confidence = aTranscript.confidence } = options
  const expected: (ForeseenStretch | undefined)[] = []
  const told: string[] = []
  const judged: number[] = []
  const looks: number[] = []
  const slots = new Slots(1)
  let [came, quiet, read] = [0, 0, 0]
  const parts: LiveParts = {
    router: {
      async transcribe(clip, { signal, foreseen, late, heardFirst }) {
        signal?.throwIfAborted()
        const seconds = clip.length / rate
        looks.push(seconds)
        const from = read / rate - seconds
        if (signal && isEndless?.(looks.length)) await aborted(signal)
        const words = hear(from, read / rate).map((word) => ({
          ...word,
          start: word.start - from,
          end: word.end - from,
        }))
        expected.push(foreseen)
        heardFirst?.({ ...aTranscript, words: hearFirst?.(words) ?? words, flags, confidence })
        await settled()
        if (late) await aborted(late).catch(() => undefined)
        return { model: 'first', transcript: { ...aTranscript, words, flags, confidence } }
      },
      close: async () => undefined,
    },
    punctuator: {
      punctuate: async (words) =>
        words.map((word, at) => ({ ...word, written: word.written ?? word.text + (words[at + 1] ? '' : '।') })),
      endChance: async (words) => (words.at(-1)?.text === 'दो' ? 0.999 : 0.001),
      prepare: async () => undefined,
      close: async () => undefined,
    },
    slots,
    again: ['en'],
    clock: aManualClock(),
  }
  const turn = new LiveTurn(parts, {
    async read() {
      const more = new Float32Array(came - lag - read)
      read = came - lag
      return more
    },
    ...(isTold && { tell: (piece: string) => void told.push(piece) }),
    judgePause: (finished) => void judged.push(finished),
    isAnswered,
  })
  return {
    turn,
    told,
    judged,
    looks,
    expected,
    slots,
    async say(seconds, isPause = false) {
      for (let at = 0; at < Math.round(seconds * 20); at++) {
        came += rate / 20
        quiet = isPause ? quiet + rate / 20 : 0
        turn.came(came, quiet)
        await settled()
        await settled()
      }
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

const aTranscript = { text: '', language: 'hi', confidence: 0.9, logProb: -0.1, noSpeech: 0, flags: [] }

function wordsBetween(from: number, to: number): Word[] {
  return said.flatMap((text, at) => {
    const start = at * wordSeconds
    const end = start + wordSeconds
    if (start < from - 0.3 || start >= to) return []
    return [{ text: end <= to ? text : 'अ', start, end: Math.min(end, to), confidence: 0.9, language: 'hi' }]
  })
}

test('words are told while they are spoken, and the pieces together are the text', async (t) => {
  const { turn, told, say } = aScene()
  await say(3)
  t.is(told.join(''), said.slice(0, 5).join(' '))
  await say(2)
  const { text, languages, seconds } = await turn.finish()
  t.is(told.join(''), text)
  t.is(text, `${said.join(' ')}।`)
  t.deepEqual(languages, ['hi'])
  t.is(seconds, 5)
})

test('a word that two transcripts do not agree on is not told', async (t) => {
  let looked = 0
  const { told, say } = aScene({
    hear: (from, to) => wordsBetween(from, to).with(1, { ...wordsBetween(0, 1)[0]!, text: `${(looked += 1)}` }),
  })
  await say(3)
  t.is(told.join(''), said[0]!)
})

test('words that another recogniser may still be asked about are not told', async (t) => {
  const english = (from: number, to: number): Word[] =>
    wordsBetween(from, to).map((word) => ({ ...word, text: 'word', language: 'en', confidence: 0.5 }))
  const { told, say } = aScene({ hear: english })
  await say(3)
  t.deepEqual(told, [])
  const again = aScene({ hear: (from, to) => english(from, to).map((word) => ({ ...word, model: 'other' })) })
  await again.say(3)
  t.not(again.told.length, 0)
})

test('words that nobody else was asked about are not told at a pause either, nor doubtful ones', async (t) => {
  const unsure = (from: number, to: number): Word[] =>
    wordsBetween(from, to).map((word) => ({ ...word, confidence: 0.5 }))
  const english = (from: number, to: number): Word[] =>
    unsure(from, to).map((word) => ({ ...word, text: 'word', language: 'en' }))
  for (const options of [{ hear: english }, { hear: unsure, flags: ['doubtful'], confidence: 0.25 }]) {
    const { told, say } = aScene(options)
    await say(1)
    await say(0.3, true)
    t.deepEqual(told, [])
  }
})

test('the first word of a turn is told while what follows is doubtful, and no other', async (t) => {
  const unsure = (from: number, to: number): Word[] =>
    wordsBetween(from, to).map((word) => ({ ...word, confidence: 0.2 }))
  const { told, say } = aScene({ hear: unsure, flags: ['doubtful'], confidence: 0.35 })
  await say(3)
  t.deepEqual(told, [said[0]!])
})

test('first words that the first recogniser is sure of are told while somebody else still hears them again', async (t) => {
  const { told, slots, say, turn } = aScene({ isAnswered: true })
  await slots.take()
  await say(1)
  slots.give()
  await say(0.1)
  t.deepEqual(told, ['एक'])
  t.regex((await turn.finish()).text, /^एक दो/u)
})

test('each pause is judged once, by the words before it', async (t) => {
  const hear = (from: number, to: number): Word[] => wordsBetween(from, to).slice(0, to < 2 ? 2 : 3)
  const { judged, say } = aScene({ hear })
  await say(1)
  await say(0.5, true)
  t.is(judged.length, 1)
  await say(1)
  await say(0.5, true)
  t.is(judged.length, 2)
  t.true(judged[0]! > 0.5 && judged[1]! < 0.2, judged.join(' '))
})

test('a pause is judged by what is heard first, and once more where a part of it is heard differently again', async (t) => {
  const misheard = (words: readonly Word[]): Word[] => words.map((word) => ({ ...word, text: 'और' }))
  const { judged, say } = aScene({ isTold: false, hear: (from) => wordsBetween(from, 1), hearFirst: misheard })
  await say(1)
  await say(0.2, true)
  t.is(judged.length, 2)
  t.true(judged[0]! < 0.1 && judged[1]! > 0.9, judged.join(' '))
})

test('who spoke English until a pause is expected to have ended with it', async (t) => {
  const { expected, say } = aScene({ hear: inEnglishFrom(1) })
  await say(3)
  t.true(expected.length > 1)
  t.true(expected.every((stretch) => stretch === undefined))
  await say(0.2, true)
  t.deepEqual(expected.at(-1), { language: 'en', start: 1 })
})

function inEnglishFrom(seconds: number): (from: number, to: number) => Word[] {
  return (from, to) =>
    wordsBetween(from, to).map((word) => (word.start < seconds ? word : { ...word, text: 'word', language: 'en' }))
}

test('a look at words that are being spoken gives way to one at a pause, which begins at once', async (t) => {
  const { looks, say, turn } = aScene({ isEndless: (look) => look === 1 })
  await say(1)
  t.is(looks.length, 1)
  await say(0.1, true)
  t.is(looks.length, 2)
  await say(0.2, true)
  t.is(looks.length, 2)
  t.regex((await turn.finish()).text, /^एक दो/u)
  t.is(looks.length, 2)
})

test('where a pause may begin nobody looks before it does, and then at once', async (t) => {
  const { looks, judged, say } = aScene({ hear: (from) => wordsBetween(from, 1) })
  await say(1.1)
  const before = looks.length
  await say(0.05, true)
  t.is(looks.length, before)
  await say(0.05, true)
  t.deepEqual(looks.slice(before), [1.2])
  t.is(judged.length, 1)
  await say(0.5, true)
  t.deepEqual(looks.slice(before), [1.2], 'the pause that came of it is known')
})

test('a pause is known although the last samples of what came cannot be read yet', async (t) => {
  const { looks, judged, say } = aScene({ isTold: false, hear: (from) => wordsBetween(from, 1), lag: 14 })
  await say(1)
  await say(0.5, true)
  t.is(looks.length, 1)
  t.is(judged.length, 1)
})

test('what was looked at in a silence too short for a pause is no more certain than other words', async (t) => {
  const { told, looks, say } = aScene({ hear: () => wordsBetween(0, 1) })
  await say(0.1)
  await say(0.1, true)
  await say(0.05)
  t.is(looks.length, 1)
  t.deepEqual(told, [])
})

test('whoever waits for an answer does not wait until all was heard again', async (t) => {
  const { turn, say, looks } = aScene({ isTold: false, isAnswered: true })
  await say(5)
  await say(0.5, true)
  t.is((await turn.finish()).text, `${said.join(' ')}।`)
  t.is(looks.length, 1, 'what is there is enough')
})

test('what was said before a pause is known when the pause is over', async (t) => {
  const { turn, looks, say } = aScene({ isTold: false })
  await say(5)
  t.deepEqual(looks, [])
  await say(0.5, true)
  t.is(looks.length, 1)
  const { text } = await turn.finish()
  t.is(text, `${said.join(' ')}।`)
  t.is(looks.length, 1, 'nothing is left to do')
})

test('who goes on after a pause is looked at again', async (t) => {
  const { turn, looks, say } = aScene({ isTold: false })
  await say(2.5)
  await say(0.3, true)
  await say(2.2)
  const { text } = await turn.finish()
  t.is(text, `${said.join(' ')}।`)
  t.is(looks.length, 2)
})

test('who speaks for long is looked at in windows that do not grow', async (t) => {
  const long = (from: number, to: number): Word[] =>
    Array.from({ length: 600 }, (_, at) => ({ at, start: at * wordSeconds, end: (at + 1) * wordSeconds }))
      .filter(({ start, end }) => start >= from - 0.3 && end <= to)
      .map(({ at, start, end }) => ({ text: `शब्द${at}`, start, end, confidence: 0.9, language: 'hi' }))
  for (const isTold of [true, false]) {
    const { turn, looks, told, say } = aScene({ hear: long, isTold })
    await say(300)
    const { text } = await turn.finish()
    t.is(text.split(' ').length, 600)
    t.deepEqual(
      text.replace('।', '').split(' '),
      Array.from({ length: 600 }, (_, at) => `शब्द${at}`),
    )
    t.true(Math.max(...looks) < 25, `${Math.max(...looks)}`)
    if (isTold) t.is(told.join(''), text)
  }
})

test('while the recogniser is busy there are fewer looks, and no word is lost', async (t) => {
  const { turn, looks, told, slots, say } = aScene()
  await slots.take()
  await say(5)
  t.deepEqual(looks, [])
  const { text } = await turn.finish()
  t.is(text, `${said.join(' ')}।`)
  t.is(told.join(''), text)
  slots.give()
})

test('a look that fails costs its words nothing', async (t) => {
  let failures = 2
  const { turn, say } = aScene({
    hear(from, to) {
      if (failures-- > 0) throw new Error('a thread died')
      return wordsBetween(from, to)
    },
  })
  await say(5)
  t.is((await turn.finish()).text, `${said.join(' ')}।`)
})

test('what nobody wants any more is not told', async (t) => {
  const { turn, told, say } = aScene()
  await say(2)
  const before = told.length
  turn.close()
  await say(2)
  t.is(told.length, before)
  await t.throwsAsync(() => turn.finish())
})

import type {
  AnswerPart,
  AnswerRequest,
  ConversationModel,
  FollowedTurn,
  FollowOptions,
  TranscribedTurn,
  TurnTranscribeOptions,
  Listener,
  SpeakOptions,
  SpeechDetector,
  SpokenClause,
  Voice,
  Voices,
} from '../../actors/conversation/ports.ts'
import { recogniserRate, pauseSamples } from '../../actors/conversation/ports.ts'
import { frameSamples } from '../../realtime/session/input/turn-detection.ts'

/** Speech is what is loud. Tells at once. */
export function aDetector(): SpeechDetector & { readonly open: number } {
  let open = 0
  return {
    get open() {
      return open
    },
    listen(tell, rate) {
      const frame = (frameSamples * rate) / recogniserRate
      let waiting = new Int16Array(0)
      let startSample = 0
      let isOpen = true
      open += 1
      return {
        push(pcm) {
          const whole = new Int16Array(waiting.length + pcm.length)
          whole.set(waiting)
          whole.set(pcm, waiting.length)
          let at = 0
          for (; at + frame <= whole.length; at += frame) {
            if (!isOpen) return
            const loud = whole.subarray(at, at + frame).some((sample) => Math.abs(sample) > 1_600)
            tell({ startSample, probability: loud ? 0.95 : 0.02 })
            startSample += frameSamples
          }
          waiting = whole.slice(at)
        },
        close() {
          if (isOpen) open -= 1
          isOpen = false
        },
      }
    },
    close: async () => undefined,
  }
}

export interface FakeListener extends Listener {
  readonly asked: { readonly samples: number; readonly options: TurnTranscribeOptions }[]
  /** What is heard next; once these are used up, "hello there". */
  readonly next: (string | Error | Promise<string>)[]
  /** What is heard of turns while they are spoken, a word at each look; those are not asked for in `asked`. */
  follows: string | undefined
  /** How likely whoever pauses has finished. */
  finished: number | undefined
  readonly followed: FakeFollowed[]
  /** What short sounds over an answer are found to be; once these are used up, no back-channel. */
  readonly backchannels: (string | Promise<string>)[]
}

/** One that was followed. */
interface FakeFollowed {
  readonly options: FollowOptions
  /** At each of its frames: whether nobody spoke. */
  readonly pauses: boolean[]
  /** What is thought of each pause, as it begins. */
  readonly finished: number | undefined
  /** Samples that it read. */
  samples: number
  state: 'open' | 'finished' | 'closed'
}

export function aListener(): FakeListener {
  const asked: { samples: number; options: TurnTranscribeOptions }[] = []
  const next: (string | Error | Promise<string>)[] = []
  const followed: FakeFollowed[] = []
  const backchannels: (string | Promise<string>)[] = []
  return {
    asked,
    next,
    followed,
    backchannels,
    follows: undefined,
    finished: undefined,
    async transcribe(samples, options): Promise<TranscribedTurn> {
      asked.push({ samples: samples.length, options })
      const text = await (next.shift() ?? 'hello there')
      if (text instanceof Error) throw text
      options.signal.throwIfAborted()
      for (const word of text.match(/\s*\S+/g) ?? []) options.tell?.(word)
      return {
        text,
        languages: text === '' ? [] : [/\p{Script=Devanagari}/u.test(text) ? 'hi' : 'en'],
        seconds: samples.length / 16_000,
      }
    },
    follow(options) {
      if (this.follows === undefined) return undefined
      const turn: FakeFollowed = { options, pauses: [], finished: this.finished, samples: 0, state: 'open' }
      followed.push(turn)
      return fakeFollowedTurn(turn, this.follows)
    },
    backchannelIn: async () => backchannels.shift(),
    close: async () => undefined,
  }
}

/** A word a second, as soon as it was said; the last one only at the end. */
function fakeFollowedTurn(turn: FakeFollowed, text: string): FollowedTurn {
  const words = text.match(/\s*\S+/g) ?? []
  let told = 0
  const tellUpTo = (count: number): void => {
    for (; told < count && turn.state !== 'closed'; told += 1) turn.options.tell?.(words[told]!)
  }
  return {
    came(samples, quiet) {
      const isPause = quiet >= pauseSamples
      const isNew = isPause && turn.pauses.at(-1) !== true
      turn.pauses.push(isPause)
      if (isNew && turn.finished !== undefined) turn.options.judgePause?.(turn.finished)
      tellUpTo(Math.min(words.length - 1, Math.floor(samples / recogniserRate)))
    },
    async finish() {
      turn.samples = (await turn.options.read()).length
      if (turn.state === 'closed') throw new Error('nobody wants the turn any more')
      tellUpTo(words.length)
      turn.state = 'finished'
      return { text, languages: ['en'], seconds: turn.samples / recogniserRate }
    },
    close() {
      turn.state = 'closed'
    },
  }
}

type FakeScript = readonly (AnswerPart | Error | Promise<unknown>)[] | ((request: AnswerRequest) => FakeScript)

export interface FakeModel extends ConversationModel {
  readonly asked: AnswerRequest[]
  /** What is answered next; once these are used up, a short sentence. */
  readonly next: FakeScript[]
}

export const says = (...texts: readonly string[]): AnswerPart[] => [
  ...texts.map((delta) => ({ kind: 'text' as const, delta })),
  { kind: 'usage', inputTokens: 12, outputTokens: 5, cachedTokens: 3 },
  { kind: 'end', reason: 'stop' },
]

export const calls = (name: string, ...deltas: readonly string[]): AnswerPart[] => [
  { kind: 'call', callId: `call_${name}`, name },
  ...deltas.map((delta) => ({ kind: 'arguments' as const, callId: `call_${name}`, delta })),
  { kind: 'usage', inputTokens: 20, outputTokens: 7, cachedTokens: 0 },
  { kind: 'end', reason: 'stop' },
]

/** What is said by who has to be allowed to call a tool of a server first. */
export const asksFor = (label: string, tool: string, input = '{}'): AnswerPart[] => [
  { kind: 'approval', label, tool, arguments: input },
  ...says(),
]

/** Makes the calls that were allowed, which all return this, and then says something. */
export const callsApproved =
  (output: string, text: string) =>
  ({ approved = [] }: AnswerRequest): AnswerPart[] => [
    ...approved.flatMap(({ id }): AnswerPart[] => [
      { kind: 'approved', id },
      { kind: 'approved', id, output },
    ]),
    ...says(text),
  ]

export function aModel(): FakeModel {
  const asked: AnswerRequest[] = []
  const next: FakeScript[] = []
  return {
    asked,
    next,
    async *answer(request, signal) {
      asked.push(request)
      let script = next.shift() ?? says('I hear you.')
      if (typeof script === 'function') script = script(request)
      if (typeof script === 'function') return
      for (const step of script) {
        signal.throwIfAborted()
        if (step instanceof Error) throw step
        if (step instanceof Promise) await Promise.race([step, aborted(signal)])
        else yield step
      }
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** As the real voices promise: a clause as soon as it is complete, words one after the other. */
const msPerWord = 100

export function someVoices(): Voices & { readonly spoken: SpeakOptions[] } {
  const list: Voice[] = [
    { id: 'asha', name: 'Asha', gender: 'female', language: 'hi' },
    { id: 'ravi', name: 'Ravi', gender: 'male', language: 'hi' },
    { id: 'emma', name: 'Emma', gender: 'female', language: 'en' },
  ]
  const aliases = new Map([
    ['alloy', 'asha'],
    ['verse', 'ravi'],
    ['marin', 'emma'],
  ])
  const spoken: SpeakOptions[] = []
  return {
    spoken,
    list: () => list,
    find: (name) => list.find(({ id }) => id === (aliases.get(name) ?? name)),
    async *speak(text, options) {
      spoken.push(options)
      let waiting = ''
      for await (const piece of text) {
        options.signal.throwIfAborted()
        waiting += piece
        const end = waiting.search(/[.?!](?=\s)/)
        if (end < 0) continue
        yield clauseOf(waiting.slice(0, end + 1))
        waiting = waiting.slice(end + 1)
      }
      options.signal.throwIfAborted()
      if (waiting.trim() !== '') yield clauseOf(waiting)
    },
    close: async () => undefined,
  }
}

function clauseOf(text: string): SpokenClause {
  const words = text.match(/\S+/g) ?? []
  const samples = new Int16Array((words.length * msPerWord * 24_000) / 1_000)
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = Math.round(8_000 * Math.sin((2 * Math.PI * 220 * index) / 24_000))
  return {
    text,
    samples,
    words: words.map((word, index) => ({ text: word, startMs: index * msPerWord, endMs: (index + 1) * msPerWord })),
  }
}

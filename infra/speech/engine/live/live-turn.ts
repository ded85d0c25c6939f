import { heardRate } from '../../../../actors/conversation/ports.ts'
import type { FollowedTurn, FollowOptions, TranscribedTurn } from '../../../../actors/conversation/ports.ts'
import type { Clock } from '../../../../actors/ports.ts'
import { foreseenStretch } from '../../asr/foreseen.ts'
import type { ForeseenStretch } from '../../asr/foreseen.ts'
import type { Transcript, Word } from '../../asr/recogniser.ts'
import type { Router } from '../../asr/router.ts'
import type { RecogniseOptions, Routed } from '../../asr/task.ts'
import type { Punctuator } from '../../punctuation/punctuator.ts'
import { onBehalfOf } from '../../threads/model-time.ts'
import type { Slots } from '../../threads/slots.ts'
import { certainCount, windowStart, withSince, wordsAfter } from './certain-words.ts'
import type { OpenWord } from './certain-words.ts'
import { LiveSilence } from './live-silence.ts'
import { LiveWindow } from './live-window.ts'
import { isTimeToLook, lookWithinMs } from './look-pace.ts'
import { PauseJudge } from './pause-judge.ts'
import { contextWords, transcribedTurn, writeOn } from './written-turn.ts'
import type { WrittenWord } from './written-turn.ts'

export interface LiveParts {
  readonly router: Router
  readonly punctuator: Punctuator
  /** Of those who transcribe what may still change: as many at once as there are recognisers, for the others wait. */
  readonly slots: Slots
  /** Languages that somebody transcribes again. */
  readonly again: readonly string[]
  readonly clock: Pick<Clock, 'elapsedMs'>
}

type LiveOptions = Pick<FollowOptions, 'read' | 'tell' | 'judgePause' | 'isAnswered' | 'owner'> &
  Pick<RecogniseOptions, 'language' | 'hotwords'>

/** A longer window is shortened as soon as enough of it is certain; whoever is told nothing has time for a longer one. */
const windowSeconds = 6
const windowUntoldSeconds = 12
/** Of whoever has finished: longer they do not wait for English to be heard again. */
const latestMs = 300
/** Why a look at words that were still being spoken was ended. */
const givenUp = new Error('there is a better look to be had')

interface Look {
  readonly words: readonly OpenWord[]
  readonly language: string
  /** Of samples, since the turn's beginning. */
  readonly to: number
  /** As if nobody had understood anything: there was more to come. */
  readonly isUnfinished: boolean
  /** As if nobody had made sense of it: what follows may. */
  readonly isDoubtful: boolean
}

/** A turn that is transcribed while it is spoken: the end of it again and again, until its words are certain. */
export class LiveTurn implements FollowedTurn {
  readonly #parts: LiveParts
  readonly #options: LiveOptions
  readonly #closing = new AbortController()
  /** Ends the wait for a recogniser. */
  readonly #queueing = new AbortController()
  /** Ends the wait for whoever hears a part again. */
  readonly #late = new AbortController()
  readonly #window = new LiveWindow()
  readonly #silence = new LiveSilence()
  #certain: WrittenWord[] = []
  #last: Look | undefined
  #tookMs = 0
  #looking: Promise<void> | undefined
  /** Ends a look at words that are still being spoken: in a pause there is a better one. */
  #passing: AbortController | undefined
  #isOver = false
  readonly #judge: PauseJudge

  constructor(parts: LiveParts, options: LiveOptions) {
    this.#parts = parts
    this.#options = options
    this.#judge = new PauseJudge(parts.punctuator, {
      signal: this.#closing.signal,
      tell: (finished, to) => void (this.#isToBeJudged(to) && options.judgePause?.(finished)),
    })
  }

  came(samples: number, quiet: number): void {
    this.#silence.hear(samples, quiet)
    if (this.#silence.isHush) this.#passing?.abort(givenUp)
    this.#lookIfWorthIt()
  }

  #lookIfWorthIt(): void {
    if (this.#looking || this.#isOver || !this.#isWorthALook()) return
    this.#looking = onBehalfOf(this.#options.owner, () => this.#look())
      .catch((error: unknown) => error) // whoever finishes the turn transcribes it then
      .then((error) => {
        this.#looking = undefined
        if (error === undefined || error === givenUp) this.#lookIfWorthIt()
      })
  }

  finish(): Promise<TranscribedTurn> {
    return onBehalfOf(this.#options.owner, () => this.#finish())
  }

  async #finish(): Promise<TranscribedTurn> {
    this.#isOver = true
    this.#queueing.abort()
    this.#passing?.abort(givenUp)
    const tooLate = setTimeout(() => this.#late.abort(), latestMs)
    await this.#looking
    clearTimeout(tooLate)
    const look = this.#isPauseKnown ? this.#last! : await this.#lookAtRest()
    this.#closing.signal.throwIfAborted()
    await this.#write(look, look.words.length)
    return transcribedTurn(this.#certain, { heardAs: look.language, seconds: this.#window.to / heardRate })
  }

  close(): void {
    this.#isOver = true
    this.#queueing.abort()
    this.#closing.abort(new Error('nobody wants the turn any more'))
  }

  /** What was last looked at was all that was said. */
  get #isPauseKnown(): boolean {
    return this.#last?.isUnfinished === false && this.#isPauseAt(this.#last.to)
  }

  #isPauseAt(to: number): boolean {
    return this.#silence.isPause && this.#silence.isAllUpTo(to)
  }

  #isWorthALook(): boolean {
    if (this.#window.isFull || this.#isPauseKnown) return false
    // where a pause may begin nobody looks before it is known whether it does: its own look would have to wait
    if (this.#silence.isAllUpTo(this.#last?.to ?? 0)) return this.#silence.isPause
    if (this.#silence.isBegun) return this.#silence.isHush
    const seconds = (this.#silence.came - (this.#last?.to ?? 0)) / heardRate
    return isTimeToLook({ seconds, tookMs: this.#tookMs }, this.#options)
  }

  async #look(): Promise<void> {
    const { slots, clock } = this.#parts
    const fromMs = clock.elapsedMs()
    await slots.take(this.#queueing.signal, this.#options.owner)
    try {
      const to = this.#silence.came
      await this.#readOn()
      if (this.#window.isFull) return
      this.#passing = this.#silence.isAllUpTo(to) ? undefined : new AbortController()
      await this.#conclude(await this.#transcribe(to))
    } finally {
      this.#passing = undefined
      slots.give()
      this.#tookMs = clock.elapsedMs() - fromMs
    }
  }

  async #lookAtRest(): Promise<Look> {
    await this.#readOn()
    return this.#transcribe(this.#window.to)
  }

  async #readOn(): Promise<void> {
    this.#window.append(await this.#options.read())
  }

  /** The words that are not certain, by all the audio that there is. */
  async #transcribe(to: number): Promise<Look> {
    const { language, hotwords, isAnswered } = this.#options
    const transcribed = this.#parts.router.transcribe(this.#window.samples, {
      ...(language !== undefined && { language }),
      ...(hotwords && { hotwords }),
      withinMs: lookWithinMs(this.#options),
      signal: this.#passing ? AbortSignal.any([this.#closing.signal, this.#passing.signal]) : this.#closing.signal,
      isUnfinished: () => !this.#isOver && !this.#isPauseAt(to),
      foreseen: this.#isOver || this.#silence.isAllUpTo(to) ? this.#foreseen() : undefined,
      ...(isAnswered && !this.#isOver && { late: this.#late.signal }),
      heardFirst: (heard) => void this.#judgePause(this.#openWords(heard), to).catch(() => undefined),
    })
    if (this.#isToBeJudged(to)) this.#judge.listen(this.#window.samples)
    const { transcript, model }: Routed = await transcribed
    const open = this.#openWords(transcript).map(({ model: by, ...word }) =>
      by === undefined || by === model ? word : { ...word, model: by },
    )
    const words = withSince(open, this.#last?.words ?? [], to / heardRate)
    const is = (flag: string): boolean => transcript.flags.includes(flag)
    const { language: heardAs } = transcript
    return { words, language: heardAs, to, isUnfinished: is('unfinished'), isDoubtful: is('doubtful') }
  }

  /** Those that are not certain, with times since the turn's beginning. */
  #openWords({ words }: Transcript): Word[] {
    const from = this.#window.from / heardRate
    const placed = words.map((word) => ({ ...word, start: word.start + from, end: word.end + from }))
    return wordsAfter(this.#certainInWindow(), placed)
  }

  #certainInWindow(): Word[] {
    const from = this.#window.from / heardRate
    return this.#certain.map(({ word }) => word).filter(({ end }) => end > from)
  }

  /** Whoever spoke English when it was last looked went on with it until the pause. */
  #foreseen(): ForeseenStretch | undefined {
    const from = this.#window.from / heardRate
    const words = [...this.#certainInWindow(), ...(this.#last?.words ?? [])]
    const placed = words.map((word) => ({ ...word, start: Math.max(0, word.start - from), end: word.end - from }))
    return foreseenStretch(placed, this.#parts.again, this.#window.seconds)
  }

  async #conclude(look: Look): Promise<void> {
    await this.#judgePause(look.words, look.to)
    const edge = look.to / heardRate
    const live = { ...look, edge, isPause: this.#isPauseAt(look.to), isBeginning: this.#certain.length === 0 }
    const count = look.isDoubtful ? 0 : certainCount(live, this.#parts.again)
    const isLong = this.#window.seconds > (this.#options.tell ? windowSeconds : windowUntoldSeconds)
    await this.#write(look, this.#options.tell || isLong ? count : 0)
    if (isLong) this.#shorten(edge)
  }

  #isToBeJudged(to: number): boolean {
    return this.#options.judgePause !== undefined && !this.#isOver && this.#silence.isAllUpTo(to)
  }

  async #judgePause(open: readonly Word[], to: number): Promise<void> {
    if (!this.#isToBeJudged(to)) return
    const words = [...this.#certain.slice(-contextWords).map(({ word }) => word), ...open]
    await this.#judge.judge(words, to)
  }

  /** Makes the first words of the transcript certain, and tells them. */
  async #write(look: Look, count: number): Promise<void> {
    this.#last = { ...look, words: look.words.slice(count) }
    if (count === 0) return
    const more = await writeOn(this.#parts.punctuator, this.#certain, look)
    const certain = more.slice(0, count)
    const text = certain.map((word) => word.text).join(' ')
    const space = this.#certain.length > 0 ? ' ' : ''
    this.#certain.push(...certain)
    this.#options.tell?.(space + text)
  }

  #shorten(edge: number): void {
    const start = windowStart(this.#certainInWindow(), this.#last?.words[0]?.start ?? edge)
    if (start !== undefined) this.#window.dropBefore(Math.round(start * heardRate))
  }
}

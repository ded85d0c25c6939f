import { recogniserRate } from '../../../../actors/conversation/ports.ts'
import type { FollowedTurn, FollowOptions, TranscribedTurn } from '../../../../actors/conversation/ports.ts'
import type { Clock } from '../../../../actors/ports.ts'
import { isDoubtful } from '../../asr/doubt.ts'
import { foreseenStretch } from '../../asr/foreseen.ts'
import type { ForeseenStretch } from '../../asr/foreseen.ts'
import type { Transcript, Word } from '../../asr/recogniser.ts'
import type { Router } from '../../asr/router.ts'
import type { RecogniseOptions, Routed } from '../../asr/task.ts'
import type { Punctuator } from '../../punctuation/punctuator.ts'
import { onBehalfOf } from '../../threads/model-time.ts'
import type { Slots } from '../../threads/slots.ts'
import { CertainText } from './certain-text.ts'
import { certainCount, windowStart, withSince, wordsAfter } from './certain-words.ts'
import { FirstWords } from './first-words.ts'
import { LiveSilence } from './live-silence.ts'
import { LiveWindow } from './live-window.ts'
import { heardIn, withoutFirst } from './heard-look.ts'
import type { HeardLook } from './heard-look.ts'
import { isTimeToLook, lookWithinMs } from './look-pace.ts'
import { PauseJudge } from './pause-judge.ts'

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
  readonly #certain: CertainText
  readonly #first: FirstWords
  #telling: Promise<void> | undefined
  #last: HeardLook | undefined
  #tookMs = 0
  #looking: Promise<void> | undefined
  /** Ends a look at words that are still being spoken: in a pause there is a better one. */
  #passing: AbortController | undefined
  #isOver = false
  readonly #judge: PauseJudge

  constructor(parts: LiveParts, options: LiveOptions) {
    this.#parts = parts
    this.#options = options
    this.#certain = new CertainText(parts.punctuator, options.tell)
    this.#first = new FirstWords(parts.again)
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
    return this.#certain.turn({ heardAs: look.language, seconds: this.#window.to / recogniserRate })
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
    const seconds = (this.#silence.came - (this.#last?.to ?? 0)) / recogniserRate
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
      await this.#telling // the next look goes on after it, also where this one was given up
      this.#passing = undefined
      slots.give()
      this.#tookMs = clock.elapsedMs() - fromMs
    }
  }

  async #lookAtRest(): Promise<HeardLook> {
    await this.#readOn()
    return this.#transcribe(this.#window.to)
  }

  async #readOn(): Promise<void> {
    this.#window.append(await this.#options.read())
  }

  /** The words that are not certain, by all the audio that there is. */
  async #transcribe(to: number): Promise<HeardLook> {
    const { language, hotwords, isAnswered } = this.#options
    const transcribed = this.#parts.router.transcribe(this.#window.samples, {
      ...(language !== undefined && { language }),
      ...(hotwords && { hotwords }),
      withinMs: lookWithinMs(this.#options),
      signal: this.#passing ? AbortSignal.any([this.#closing.signal, this.#passing.signal]) : this.#closing.signal,
      isUnfinished: () => !this.#isOver && !this.#isPauseAt(to),
      foreseen: this.#isOver || this.#silence.isAllUpTo(to) ? this.#foreseen() : undefined,
      ...(isAnswered && !this.#isOver && { late: this.#late.signal }),
      heardFirst: (heard) => {
        const words = this.#openWords(heard)
        void this.#judgePause(words, to).catch(() => undefined)
        this.#telling = this.#tellFirst({ ...heard, words }, to).catch(() => undefined) // it is told with the next look then
      },
    })
    if (this.#isToBeJudged(to)) this.#judge.listen(this.#window.samples)
    const { transcript, model }: Routed = await transcribed
    await this.#telling
    const open = this.#openWords(transcript).map(({ model: by, ...word }) =>
      by === undefined || by === model ? word : { ...word, model: by },
    )
    const words = withSince(open, this.#last?.words ?? [], to / recogniserRate)
    return heardIn(transcript, words, to)
  }

  /** Words that need nobody's second opinion, while that is still being asked for. */
  async #tellFirst(heard: Transcript, to: number): Promise<void> {
    if (!this.#options.tell || this.#isOver || !this.#certain.isEmpty) return
    const look = { edge: to / recogniserRate, isDoubtful: isDoubtful(heard), confidence: heard.confidence }
    const count = this.#first.certainCount(heard.words, look)
    if (this.#last) this.#last = withoutFirst(this.#last, count)
    await this.#certain.add(heard, count)
  }

  /** Those that are not certain, with times since the turn's beginning. */
  #openWords({ words }: Transcript): Word[] {
    const from = this.#window.from / recogniserRate
    const placed = words.map((word) => ({ ...word, start: word.start + from, end: word.end + from }))
    return wordsAfter(this.#certainInWindow(), placed)
  }

  #certainInWindow(): Word[] {
    return this.#certain.after(this.#window.from / recogniserRate)
  }

  /** Whoever spoke English when it was last looked went on with it until the pause. */
  #foreseen(): ForeseenStretch | undefined {
    const from = this.#window.from / recogniserRate
    const words = [...this.#certainInWindow(), ...(this.#last?.words ?? [])]
    const placed = words.map((word) => ({ ...word, start: Math.max(0, word.start - from), end: word.end - from }))
    return foreseenStretch(placed, this.#parts.again, this.#window.seconds)
  }

  async #conclude(look: HeardLook): Promise<void> {
    await this.#judgePause(look.words, look.to)
    const edge = look.to / recogniserRate
    const live = { ...look, edge, isPause: this.#isPauseAt(look.to), isBeginning: this.#certain.isEmpty }
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
    await this.#judge.judge([...this.#certain.context, ...open], to)
  }

  /** Makes the first words of the transcript certain, and tells them. */
  async #write(look: HeardLook, count: number): Promise<void> {
    this.#last = withoutFirst(look, count)
    await this.#certain.add(look, count)
  }

  #shorten(edge: number): void {
    const start = windowStart(this.#certainInWindow(), this.#last?.words[0]?.start ?? edge)
    if (start !== undefined) this.#window.dropBefore(Math.round(start * recogniserRate))
  }
}

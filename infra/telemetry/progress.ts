import { printable } from './printable.ts'

/** How far something slow has come: a bar on a terminal, a line now and then elsewhere. */
export interface Progress {
  /** From 0 to 1. */
  update(fraction: number): void
  /** Leaves a finished line behind. */
  done(): void
  /** Leaves the line as it is: what went wrong is said by whoever knows it. */
  fail(): void
}

export type StartProgress = (title: string) => Progress

/** Several things at once: the bars of those that go on stay together below what is finished. */
export interface ProgressBoard {
  readonly start: StartProgress
  /** For everything else that is written to the same terminal meanwhile: whole lines. */
  aside(write: () => void): void
}

interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

const redrawEveryMs = 100
const lineEveryMs = 5_000
const guessAfterMs = 3_000
const guessFrom = 0.02
const barWidth = 30
const columnsForBar = 60
const defaultColumns = 80
const defaultRows = 24
/** Letters of some scripts are wider than one column: a line that the terminal broke in two could not be found again. */
const withoutWrapping = { on: '\u001B[?7l', off: '\u001B[?7h' }

export function progressOn(output: ProgressOutput, now?: () => number): StartProgress {
  return progressBoard(output, now).start
}

export function progressBoard(output: ProgressOutput, now: () => number = () => performance.now()): ProgressBoard {
  if (output.isTTY === true) return new Bars(output, now)
  return { start: (title) => lines(printable(title), output, now), aside: (write) => write() }
}

/** For where nobody watches. */
export const noProgress: StartProgress = () => ({ update() {}, done() {}, fail() {} })

/** The same in several places. */
export function progressIn(...places: readonly StartProgress[]): StartProgress {
  return (title) => {
    const all = places.map((start) => start(title))
    return {
      update: (fraction) => all.forEach((one) => one.update(fraction)),
      done: () => all.forEach((one) => one.done()),
      fail: () => all.forEach((one) => one.fail()),
    }
  }
}

interface Bar {
  readonly title: string
  readonly startedMs: number
  fraction: number
}

class Bars implements ProgressBoard {
  readonly #output: ProgressOutput
  readonly #now: () => number
  readonly #live = new Set<Bar>()
  #drawnAt = -Infinity
  #drawnLines = 0

  constructor(output: ProgressOutput, now: () => number) {
    this.#output = output
    this.#now = now
  }

  readonly start: StartProgress = (title) => {
    const bar: Bar = { title: printable(title), startedMs: this.#now(), fraction: 0 }
    this.#live.add(bar)
    this.#draw()
    const leave = (): void => {
      this.#live.delete(bar)
      this.#draw([this.#line(bar)])
    }
    return {
      update: (fraction) => {
        bar.fraction = Math.max(bar.fraction, clamp(fraction))
        if (this.#now() - this.#drawnAt >= redrawEveryMs) this.#draw()
      },
      done: () => {
        bar.fraction = 1
        leave()
      },
      fail: leave,
    }
  }

  aside(write: () => void): void {
    this.#output.write(this.#erasure())
    this.#drawnLines = 0
    write()
    this.#draw()
  }

  /** All in one write, so that no reader ever sees half of it. */
  #draw(finished: readonly string[] = []): void {
    const room = Math.max(1, (this.#output.rows || defaultRows) - 1)
    const live = Array.from(this.#live, (bar) => this.#line(bar)).slice(0, room)
    const text = finished.map((line) => `${line}\n`).join('') + live.join('\n')
    if (text !== '') this.#output.write(`${this.#erasure()}${withoutWrapping.on}${text}${withoutWrapping.off}`)
    this.#drawnLines = live.length
    this.#drawnAt = this.#now()
  }

  #erasure(): string {
    const up = this.#drawnLines > 1 ? `\u001B[${this.#drawnLines - 1}A` : ''
    return this.#drawnLines > 0 ? `\r${up}\u001B[J` : ''
  }

  #line({ title, fraction, startedMs }: Bar): string {
    const left = timeLeft(fraction, this.#now() - startedMs)
    return barLine(left === undefined ? title : `${left}  ${title}`, fraction, this.#output.columns || defaultColumns)
  }
}

function lines(title: string, output: ProgressOutput, now: () => number): Progress {
  let saidAt = now()
  output.write(`${title} …\n`)
  return {
    update(fraction) {
      if (fraction >= 1 || now() - saidAt < lineEveryMs) return
      saidAt = now()
      output.write(`${title}: ${percent(fraction)}\n`)
    },
    done: () => void output.write(`${title}: done\n`),
    fail() {},
  }
}

/** The title comes last: it may be of any length, and bars stand below one another. */
function barLine(title: string, fraction: number, columns: number): string {
  const filled = Math.round(barWidth * fraction)
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] `
  const line = `${columns >= columnsForBar ? bar : ''}${percent(fraction).padStart(5)}  ${title}`
  return Array.from(line)
    .slice(0, Math.max(0, columns - 1))
    .join('')
}

/** As `1:05 left`, when it goes on as it went so far; undefined before that says anything, and at the end. */
function timeLeft(fraction: number, elapsedMs: number): string | undefined {
  if (elapsedMs < guessAfterMs || fraction < guessFrom || fraction >= 1) return undefined
  const seconds = Math.ceil((elapsedMs * (1 - fraction)) / fraction / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const clock = `${hours > 0 ? String(minutes).padStart(2, '0') : minutes}:${String(seconds % 60).padStart(2, '0')}`
  return `${hours > 0 ? `${hours}:` : ''}${clock} left`
}

function percent(fraction: number): string {
  return `${Math.floor(clamp(fraction) * 100)} %`
}

function clamp(fraction: number): number {
  return Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0
}

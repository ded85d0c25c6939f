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

export interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const redrawEveryMs = 100
const lineEveryMs = 5_000
const barWidth = 30
const narrowestBar = 8
const defaultColumns = 80

export function progressOn(output: ProgressOutput, now: () => number = () => performance.now()): StartProgress {
  return (title) => (output.isTTY === true ? bar(title, output, now) : lines(title, output, now))
}

/** For where nobody watches. */
export const noProgress: StartProgress = () => ({ update() {}, done() {}, fail() {} })

function bar(title: string, output: ProgressOutput, now: () => number): Progress {
  let drawnAt = -Infinity
  let drawn = 0
  const draw = (fraction: number): void => {
    drawnAt = now()
    drawn = fraction
    output.write(`\r\u001B[K${barLine(title, fraction, output.columns || defaultColumns)}`)
  }
  draw(0)
  return {
    update(fraction) {
      if (now() - drawnAt >= redrawEveryMs) draw(Math.max(drawn, clamp(fraction)))
    },
    done() {
      draw(1)
      output.write('\n')
    },
    fail: () => void output.write('\n'),
  }
}

function lines(title: string, output: ProgressOutput, now: () => number): Progress {
  let saidAt = now()
  output.write(`${title} …\n`)
  return {
    update(fraction) {
      if (now() - saidAt < lineEveryMs) return
      saidAt = now()
      output.write(`${title}: ${percent(fraction)}\n`)
    },
    done: () => void output.write(`${title}: done\n`),
    fail() {},
  }
}

function barLine(title: string, fraction: number, columns: number): string {
  const width = Math.min(barWidth, columns - title.length - ' [] 100 %'.length - 1)
  if (width < narrowestBar) return `${title} ${percent(fraction)}`.slice(0, Math.max(0, columns - 1))
  const filled = Math.round(width * fraction)
  return `${title} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${percent(fraction)}`
}

function percent(fraction: number): string {
  return `${Math.floor(clamp(fraction) * 100)} %`
}

function clamp(fraction: number): number {
  return Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0
}

import type { Marks } from './config.ts'
import { secondsPerTimeMark } from './config.ts'
import type { Attention } from '../align.ts'
import { framesOfRows } from '../align.ts'
import type { TimedToken } from './words.ts'

/** One decode of one clip, marks included, the end mark left out. */
interface TimedText {
  readonly tokens: readonly number[]
  readonly logProbs: readonly number[]
  /** Undefined when the export does not show where it looks. */
  readonly attention: Attention | undefined
  readonly seconds: number
  readonly bytesOf: (id: number) => number
}

/** Encoder frames are 20 ms apart. */
const secondsPerFrame = 0.02

/** The text tokens with their times: by attention where there is any, else spread by length between the time marks. */
export function timedTokens(written: TimedText, marks: Marks): TimedToken[] {
  const starts = written.attention ? byAttention(written, written.attention) : byLength(written, marks)
  return written.tokens.flatMap((id, index) =>
    id >= marks.end
      ? []
      : [{ id, logProb: written.logProbs[index]!, start: starts[index]!, end: starts[index + 1] ?? written.seconds }],
  )
}

function byAttention({ seconds }: TimedText, attention: Attention): number[] {
  return framesOfRows(attention).map((frame) => Math.min(frame * secondsPerFrame, seconds))
}

function byLength({ tokens, seconds, bytesOf }: TimedText, { firstTime, end }: Marks): number[] {
  const starts: number[] = Array.from({ length: tokens.length + 1 }, () => seconds)
  let from = 0
  let run: number[] = []
  const settle = (until: number): void => {
    const total = run.reduce((sum, index) => sum + bytesOf(tokens[index]!), 0)
    let said = 0
    for (const index of run) {
      starts[index] = from + ((until - from) * said) / Math.max(1, total)
      said += bytesOf(tokens[index]!)
    }
    run = []
    from = until
  }
  tokens.forEach((token, index) => {
    if (token < end) run.push(index)
    if (token < firstTime) return
    const time = Math.min((token - firstTime) * secondsPerTimeMark, seconds)
    settle(Math.max(from, time))
    starts[index] = from
  })
  settle(seconds)
  return starts
}

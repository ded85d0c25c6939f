import { digitRowAt } from './digit-rows.ts'
import { quantityAt } from './quantity.ts'
import type { Clause, Quantity } from './quantity.ts'
import { tokenOf } from './tokens.ts'
import type { Unit } from './tokens.ts'
import { clockTime, indianGrouping, plainNumber } from './write-number.ts'

/** Words from `from` up to `to` that become one: a figure, or the one of them that is left. */
export type FigureSpan = { readonly from: number; readonly to: number } & (
  | { readonly figure: string }
  | { readonly kept: number }
)

interface NumberWord {
  /** Without marks. */
  readonly text: string
  /** Whether a mark follows it. */
  readonly isMarked: boolean
}

/**
 * Numbers as figures, where the words leave no doubt. "एक" and "दो" alone stay: one is an article, the other a verb too.
 * What is said in lakhs and crores keeps the word: 5 लाख, ₹1.5 करोड़; with more behind it, it is written out: 5,20,000.
 */
export function figuresIn(words: readonly NumberWord[]): FigureSpan[] {
  const spans: FigureSpan[] = []
  let from = 0
  while (from < words.length) {
    const mark = words.findIndex(({ isMarked }, at) => at >= from && isMarked)
    const to = mark < 0 ? words.length : mark + 1
    const clause = words.slice(from, to).map(({ text }) => tokenOf(text))
    spans.push(...figuresOfClause(clause).map((span) => moved(span, from)))
    from = to
  }
  return spans
}

function moved(span: FigureSpan, by: number): FigureSpan {
  const [from, to] = [span.from + by, span.to + by]
  return 'kept' in span ? { from, to, kept: span.kept + by } : { from, to, figure: span.figure }
}

function figuresOfClause(clause: Clause): FigureSpan[] {
  const spans: FigureSpan[] = []
  for (let at = 0; at < clause.length;) {
    const row = digitRowAt(clause, at)
    if (row) {
      spans.push({ from: at, to: row.to, figure: row.digits })
      at = row.to
      continue
    }
    const numbers = neighbouringNumbers(clause, at)
    const found = spansOf(clause, numbers)
    spans.push(...found)
    at = Math.max(at + 1, numbers.at(-1)?.to ?? 0, found.at(-1)?.to ?? 0)
  }
  return spans
}

/** Numbers that follow each other at once. */
function neighbouringNumbers(clause: Clause, from: number): Quantity[] {
  const numbers: Quantity[] = []
  for (let next = quantityAt(clause, from); next; next = quantityAt(clause, next.to)) numbers.push(next)
  return numbers
}

/** Two or more are "two three people", which stays as it was said, unless they are a year or a time. */
function spansOf(clause: Clause, numbers: readonly Quantity[]): FigureSpan[] {
  const [first, second] = numbers
  if (!first) return []
  const unit = unitAt(clause, numbers.at(-1)!.to)
  if (!second) return figuresOf(clause, first, unit)
  if (numbers.length > 2) return []
  const span = { from: first.from, to: second.to }
  const isPair = second.value >= 10 && second.value < 100 && first.to - first.from === 1
  if (isPair && unit === 'meridiem' && first.value <= 12 && second.value < 60)
    return [{ ...span, figure: `${first.value}:${second.value}` }]
  const isYear = isPair && isEnglish(clause, first.from) && first.value >= 11 && first.value <= 20
  return isYear && unit === undefined ? [{ ...span, figure: `${first.value}${second.value}` }] : []
}

function figuresOf(clause: Clause, quantity: Quantity, unit: Unit | undefined): FigureSpan[] {
  const { from, to, value, round } = quantity
  if (!isSure(clause, quantity, unit)) return []
  const sign = unit === 'rupees' ? '₹' : unit === 'dollars' ? '$' : ''
  const end = sign === '' ? to : to + 1
  if (round) {
    // "लाख रुपये" without a number is an expression
    if (round.at === from) return []
    const figure: FigureSpan = { from, to: round.at, figure: `${sign}${round.times}` }
    return end === to ? [figure] : [figure, { from: round.at, to: end, kept: round.at }]
  }
  if (unit === 'percent') return [{ from, to: to + 1, figure: `${plainNumber(value)}%` }]
  if (unit === 'clock' || unit === 'meridiem') return [{ from, to, figure: clockTime(value) }]
  return [{ from, to: end, figure: sign === '' ? plainNumber(value) : sign + indianGrouping(value) }]
}

/** A unit takes the doubt away; without one, small words and bare multipliers are left. */
function isSure(clause: Clause, { from, to, value, isFraction, round }: Quantity, unit: Unit | undefined): boolean {
  const isOneWord = to - from === 1
  const token = clause[from]!
  if (token.kind === 'number' && token.from === 'digits' && isOneWord) return unit !== undefined && unit !== 'counted'
  // "एक दिन" and "हज़ार बार" are expressions
  if (unit === 'counted' && isOneWord) return token.kind === 'fraction' || (token.kind === 'number' && value > 1)
  if (unit !== undefined || round) return true
  if (isFraction) return !isOneWord && clause[to - 1]?.kind === 'multiplier'
  return !isOneWord || (token.kind === 'number' && value > 2)
}

function unitAt(clause: Clause, at: number): Unit | undefined {
  const token = clause[at]
  return token?.kind === 'unit' ? token.unit : undefined
}

function isEnglish(clause: Clause, at: number): boolean {
  const token = clause[at]
  return token?.kind === 'number' && token.from === 'english'
}

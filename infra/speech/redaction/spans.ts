import type { RedactionKind } from '../../../actors/transcript/state.ts'
import { cardCodesIn } from './card-codes.ts'
import { cuesAround } from './cues.ts'
import { digitRowsIn } from './digit-rows.ts'
import type { DigitRow } from './digit-rows.ts'
import { emailsIn } from './emails.ts'
import { namesIn } from './names.ts'
import { isOneNumber, numberKindOf } from './number-kinds.ts'
import { pansIn } from './pan.ts'
import type { WordSpan } from './pan.ts'

/** Words that are not to be read. */
interface SecretSpan extends WordSpan {
  readonly kind: RedactionKind
}

/** Words, of anybody, between two parts of one number. */
const bridgeWords = 3
/** A part of a number that something was said in the middle of. */
const partDigits = 3

/** In order, none over another. Words are those of one person, or of all where they cannot be told apart, from beginning to end. */
export function secretsIn(words: readonly string[], asked: ReadonlySet<RedactionKind>): SecretSpan[] {
  const numbers = numbersIn(words, asked)
  const found: SecretSpan[] = [
    ...(asked.has('email') ? emailsIn(words).map((span) => ({ ...span, kind: 'email' as const })) : []),
    ...(asked.has('pan') ? pansIn(words).map((span) => ({ ...span, kind: 'pan' as const })) : []),
    ...numbers,
    ...(asked.has('card') ? codesIn(words, numbers) : []),
    ...(asked.has('name') ? namesIn(words).map((span) => ({ ...span, kind: 'name' as const })) : []),
  ]
  return withoutOverlaps(found)
}

function codesIn(words: readonly string[], numbers: readonly SecretSpan[]): SecretSpan[] {
  const cards = numbers.filter(({ kind }) => kind === 'card')
  return cardCodesIn(words, cards).map((span) => ({ ...span, kind: 'card' as const }))
}

function numbersIn(words: readonly string[], asked: ReadonlySet<RedactionKind>): SecretSpan[] {
  const rows = digitRowsIn(words)
  const kinds = rows.map((row) => numberKindOf(row, asked, cuesAround(words, row)))
  for (const at of rows.keys()) {
    if (kinds[at] !== undefined) continue
    const parts = partsFrom(rows, at)
    for (let count = parts.length; count > 1; count -= 1) {
      const kind = isOneNumber(digitsOf(parts.slice(0, count)), asked)
      if (kind === undefined) continue
      kinds.fill(kind, at, at + count)
      break
    }
  }
  return rows.flatMap(({ from, to }, at) => {
    const kind = kinds[at]
    return kind === undefined ? [] : [{ from, to, kind }]
  })
}

/** The rows that may be one number with this one, which comes first. */
function partsFrom(rows: readonly DigitRow[], at: number): DigitRow[] {
  const parts: DigitRow[] = []
  for (const row of rows.slice(at)) {
    const last = parts.at(-1)
    if (row.digits.length < partDigits || (last && row.from - last.to > bridgeWords)) break
    parts.push(row)
    if (digitsOf(parts).length > longestNumber) break
  }
  return parts
}

const longestNumber = 19

function digitsOf(rows: readonly DigitRow[]): string {
  return rows.map(({ digits }) => digits).join('')
}

/** Of two that share words the one that was found first stays, and has the words of both. */
function withoutOverlaps(found: readonly SecretSpan[]): SecretSpan[] {
  const kept: SecretSpan[] = []
  for (const span of found.toSorted((one, other) => one.from - other.from || other.to - one.to)) {
    const last = kept.at(-1)
    if (!last || span.from >= last.to) kept.push(span)
    else kept[kept.length - 1] = { ...last, to: Math.max(last.to, span.to) }
  }
  return kept
}

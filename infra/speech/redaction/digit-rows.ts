import { digitPieceOf } from './spoken-digits.ts'
import type { DigitPiece } from './spoken-digits.ts'

/** Digits that were said one after another, whatever pauses are between them. */
export interface DigitRow {
  /** Words from here up to `to`, fillers between them included. */
  readonly from: number
  readonly to: number
  readonly digits: string
  /** At which digits a word begins, and where the last one ends. */
  readonly edges: readonly number[]
  /** It was said, or written, with a plus before it. */
  readonly hasPlus: boolean
}

/** Said between two digits; more of it ends the row. */
const fillersMax = 3

export function digitRowsIn(words: readonly string[]): DigitRow[] {
  const pieces = words.map(digitPieceOf)
  const rows: DigitRow[] = []
  for (let at = 0; at < pieces.length;) {
    const row = rowAt(pieces, at)
    if (!row) {
      at += 1
      continue
    }
    const from = row.from > 0 && isPlus(words[row.from - 1]!) ? row.from - 1 : row.from
    rows.push({ ...row, from, hasPlus: from < row.from || words[row.from]!.includes('+') })
    at = row.to
  }
  return rows
}

type Pieces = readonly (DigitPiece | undefined)[]

function rowAt(pieces: Pieces, from: number): Omit<DigitRow, 'hasPlus'> | undefined {
  if (!opensRow(pieces, from)) return undefined
  const edges = [0]
  let [at, to, digits, fillers] = [from, from, '', 0]
  while (at < pieces.length && fillers <= fillersMax) {
    const said = digitsAt(pieces, at)
    if (!said) {
      if (pieces[at]?.kind !== 'filler') break
      fillers += 1
      at += 1
      continue
    }
    digits += said.digits
    edges.push(digits.length)
    fillers = 0
    at = to = said.to
  }
  return to > from ? { from, to, digits, edges } : undefined
}

/** "Do" and the like are digits only among digits. */
function opensRow(pieces: Pieces, at: number): boolean {
  const [first, next] = [pieces[at], pieces[at + 1]]
  if (first?.kind === 'tens' || first?.kind === 'times') return digitsAt(pieces, at) !== undefined
  if (first?.kind !== 'digits') return false
  if (!first.isWeak) return true
  return next?.kind === 'digits' && (!next.isWeak || digitsAt(pieces, at + 2) !== undefined)
}

function digitsAt(pieces: Pieces, at: number): { readonly digits: string; readonly to: number } | undefined {
  const [piece, next] = [pieces[at], pieces[at + 1]]
  if (piece?.kind === 'digits') return { digits: piece.digits, to: at + 1 }
  const unit = next?.kind === 'digits' && next.digits.length === 1 ? next.digits : undefined
  if (piece?.kind === 'times') return unit === undefined ? undefined : { digits: unit.repeat(piece.times), to: at + 2 }
  if (piece?.kind !== 'tens') return undefined
  return unit === undefined || unit === '0'
    ? { digits: piece.digits, to: at + 1 }
    : { digits: `${piece.digits[0]}${unit}`, to: at + 2 }
}

function isPlus(word: string): boolean {
  return /^(?:\+|plus|प्लस)$/iu.test(word)
}

import type { Token } from './tokens.ts'

/** A number that was said in words, from `from` up to `to`. */
export interface Quantity {
  readonly from: number
  readonly to: number
  readonly value: number
  /** साढ़े, ढाई and the like: no number by itself, only of something. */
  readonly isFraction: boolean
  /** Where only one large multiplier follows the figure, as in "पाँच लाख": its place, and what stands before it. */
  readonly round?: { readonly at: number; readonly times: number }
}

/** Words up to the next mark: a number does not go on behind one. */
export type Clause = readonly (Token | undefined)[]

const lakh = 100_000

/** The number that begins here, as far as it goes. */
export function quantityAt(clause: Clause, from: number): Quantity | undefined {
  const begun = beginning(clause, from)
  if (!begun) return undefined
  let { at, value: current } = begun
  let total = 0
  let least = Infinity
  let round: Quantity['round']
  for (let token = clause[at]; token; token = clause[at]) {
    if (token.kind !== 'multiplier') break
    if (token.value === 100 && current < 100) current *= 100
    else if (token.value > 100 && token.value < least) {
      round = token.value >= lakh && total === 0 ? { at, times: current } : undefined
      total += current * token.value
      least = token.value
      current = 0
    } else break
    at += 1
    const rest = restAt(clause, at)
    if (!rest || rest.value >= (current > 0 ? 100 : least)) continue
    current += rest.value
    round = undefined
    at = rest.at
  }
  return { from, to: at, value: exact(total + current), isFraction: begun.isFraction, ...(round && { round }) }
}

interface Begun {
  readonly at: number
  readonly value: number
  readonly isFraction: boolean
}

function beginning(clause: Clause, from: number): Begun | undefined {
  const [token, next] = [clause[from], clause[from + 1]]
  if (token?.kind === 'number') return decimal(clause, small(clause, from)!)
  // सौ, a hundred
  if (token?.kind === 'multiplier') return { at: from, value: 1, isFraction: false }
  if (token?.kind === 'joint' && token.joint === 'a' && next?.kind === 'multiplier')
    return { at: from + 1, value: 1, isFraction: false }
  if (token?.kind !== 'fraction') return undefined
  if (token.isWhole) return { at: from + 1, value: token.value, isFraction: true }
  if (next?.kind === 'number') return { at: from + 2, value: next.value + token.value, isFraction: true }
  // सवा लाख is a quarter more than one
  return next?.kind === 'multiplier' ? { at: from + 1, value: 1 + token.value, isFraction: true } : undefined
}

/** Up to 99: one word in Hindi, up to two in English; or what was written in digits. */
function small(clause: Clause, at: number): Begun | undefined {
  const [token, next] = [clause[at], clause[at + 1]]
  if (token?.kind !== 'number') return undefined
  const isPair =
    token.from === 'english' &&
    token.value >= 20 &&
    next?.kind === 'number' &&
    next.from === 'english' &&
    next.value > 0 &&
    next.value < 10
  return { at: at + (isPair ? 2 : 1), value: token.value + (isPair ? next.value : 0), isFraction: false }
}

/** What follows a multiplier; "two hundred and five". */
function restAt(clause: Clause, at: number): Begun | undefined {
  const token = clause[at]
  if (token?.kind === 'joint' && token.joint === 'and') return small(clause, at + 1)
  return small(clause, at)
}

function decimal(clause: Clause, whole: Begun): Begun {
  const token = clause[whole.at]
  if (token?.kind !== 'joint' || token.joint !== 'point') return whole
  let at = whole.at + 1
  let digits = ''
  for (let next = clause[at]; next?.kind === 'number' && next.value < 100; next = clause[++at]) digits += next.value
  return digits === '' ? whole : { at, value: Number(`${whole.value}.${digits}`), isFraction: false }
}

/** 1.15 × 100000 is not what the machine says it is. */
function exact(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

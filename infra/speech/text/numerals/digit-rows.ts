import type { Clause } from './quantity.ts'

/** Digits that were said one by one, or in pairs: a telephone number, a code. */
interface DigitRow {
  readonly to: number
  readonly digits: string
}

/** Fewer may be "two three people". */
const leastDigits = 5
const leastPairs = 4

export function digitRowAt(clause: Clause, from: number): DigitRow | undefined {
  const single = singlesAt(clause, from)
  if (single.digits.length >= leastDigits) return single
  const pairs = pairsAt(clause, from)
  return pairs.digits.length >= 2 * leastPairs ? pairs : undefined
}

function singlesAt(clause: Clause, from: number): DigitRow {
  let [to, digits] = [from, '']
  for (;;) {
    const token = clause[to]
    const times = token?.kind !== 'joint' ? 1 : token.joint === 'double' ? 2 : token.joint === 'triple' ? 3 : 0
    const digit = token?.kind === 'joint' ? clause[to + 1] : token
    if (times === 0 || digit?.kind !== 'number' || digit.value > 9) return { to, digits }
    digits += String(digit.value).repeat(times)
    to += token?.kind === 'joint' ? 2 : 1
  }
}

function pairsAt(clause: Clause, from: number): DigitRow {
  let [to, digits] = [from, '']
  for (let token = clause[to]; token?.kind === 'number' && token.value < 100; token = clause[++to])
    digits += String(token.value).padStart(2, '0')
  return { to, digits }
}

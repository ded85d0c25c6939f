import type { RedactionKind } from '../../../actors/transcript/state.ts'
import { isLuhnValid, isVerhoeffValid } from './checksums.ts'
import type { DigitRow } from './digit-rows.ts'

/** Kinds of which the digits, or the words before them, tell what they are. */
export type NumberKind = Extract<RedactionKind, 'phone' | 'card' | 'aadhaar' | 'account'>

type Digits = Pick<DigitRow, 'digits' | 'edges' | 'hasPlus'>

interface NumberRule {
  readonly kind: NumberKind
  /** Of all the digits, by themselves. */
  isWhole(digits: string, row: Digits): boolean
  /** Lengths that are looked for in a longer row: somebody goes on with other digits, as a card's date. */
  readonly within: readonly number[]
  /** How many there are where words say what they are: a recogniser may have missed one, or heard one wrong. */
  readonly named: readonly [least: number, most: number]
}

/** As the networks give them out, those of India included. */
const cardShape = /^(?:[2-68]\d{15}|4\d{12}|[46]\d{18}|3[47]\d{13}|3[0689]\d{12})$/u

/** In the order in which they are tried; what more than one fits is called by the first. */
const rules: readonly NumberRule[] = [
  {
    kind: 'aadhaar',
    isWhole: (digits) => /^[2-9]\d{11}$/u.test(digits) && isVerhoeffValid(digits),
    within: [12],
    named: [8, 16],
  },
  {
    kind: 'card',
    isWhole: (digits) => cardShape.test(digits) && isLuhnValid(digits),
    within: [16, 15],
    named: [8, 30],
  },
  {
    kind: 'phone',
    isWhole: (digits, { hasPlus }) =>
      /^(?:(?:0?91|0)?[6-9]\d{9}|0\d{10})$/u.test(digits) || (hasPlus && /^\d{8,15}$/u.test(digits)),
    within: [10],
    named: [6, 24],
  },
  {
    kind: 'account',
    isWhole: (digits) => /^\d{11,18}$/u.test(digits) && !isCounting(digits) && !areYears(digits),
    within: [],
    named: [6, 24],
  },
]

/** What a row of digits is, of the kinds that are asked for: by all its digits, else as it is called, else by some of them. */
export function numberKindOf(
  row: Digits,
  asked: ReadonlySet<RedactionKind>,
  named: ReadonlySet<string>,
): NumberKind | undefined {
  const wanted = rules.filter(({ kind }) => asked.has(kind))
  const isNamed = ({ kind, named: [least, most] }: NumberRule): boolean =>
    named.has(kind) && row.digits.length >= least && row.digits.length <= most
  const found =
    wanted.find((rule) => isCertain(rule) && rule.isWhole(row.digits, row)) ??
    wanted.find(isNamed) ??
    wanted.find((rule) => hasPart(rule, row)) ??
    wanted.find((rule) => rule.isWhole(row.digits, row))
  return found?.kind
}

/** Whether digits that something else was said between are one number after all; there is no room for doubt here. */
export function isOneNumber(digits: string, asked: ReadonlySet<RedactionKind>): NumberKind | undefined {
  const row = { digits, edges: [0, digits.length], hasPlus: false }
  return rules.find((rule) => isCertain(rule) && asked.has(rule.kind) && rule.isWhole(digits, row))?.kind
}

/** Accounts have no shape but their length. */
function isCertain({ within }: NumberRule): boolean {
  return within.length > 0
}

function hasPart(rule: NumberRule, row: Digits): boolean {
  const edges = new Set(row.edges)
  return rule.within.some((length) =>
    row.edges.some((start) => {
      const part = row.digits.slice(start, start + length)
      return edges.has(start + length) && rule.isWhole(part, { digits: part, edges: [], hasPlus: false })
    }),
  )
}

const counted = Array.from({ length: 100 }, (_, at) => String(at)).join('')

/** One, two, three, and so on: nobody's number. */
function isCounting(digits: string): boolean {
  return counted.includes(digits)
}

function areYears(digits: string): boolean {
  return /^(?:(?:19|20)\d{2})+$/u.test(digits)
}

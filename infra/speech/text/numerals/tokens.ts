import { hindiNumbers, plainSpelling } from './hindi-numbers.ts'

/** What a word may be to a number. */
export type Token =
  /** A number below a hundred, or one that was written in digits. */
  | { readonly kind: 'number'; readonly value: number; readonly from: 'hindi' | 'english' | 'digits' }
  | { readonly kind: 'multiplier'; readonly value: number }
  /** ढाई, or साढ़े before another number. */
  | { readonly kind: 'fraction'; readonly value: number; readonly isWhole: boolean }
  | { readonly kind: 'unit'; readonly unit: Unit }
  | { readonly kind: 'joint'; readonly joint: 'and' | 'point' | 'double' | 'triple' | 'a' }

export type Unit = 'rupees' | 'dollars' | 'percent' | 'clock' | 'meridiem' | 'month' | 'counted'

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
export const englishNumbers = new Map<string, number>([
  ...ones.split(' ').map((word, value) => [word, value] as const),
  ...tens.split(' ').map((word, at) => [word, 10 * (at + 2)] as const),
])

const multipliers = byWord<number>([
  [100, 'सौ hundred'],
  [1_000, 'हज़ार हजार thousand'],
  [100_000, 'लाख lakh lakhs'],
  [1_000_000, 'million'],
  [10_000_000, 'करोड़ crore crores'],
  [1_000_000_000, 'अरब billion'],
])

/** Before a number a whole one cannot stand: it is one already. */
const fractions = byWord<{ value: number; isWhole: boolean }>([
  [{ value: 1.5, isWhole: true }, 'डेढ़'],
  [{ value: 2.5, isWhole: true }, 'ढाई अढ़ाई'],
  [{ value: 0.5, isWhole: false }, 'साढ़े'],
  [{ value: 0.25, isWhole: false }, 'सवा'],
  [{ value: -0.25, isWhole: false }, 'पौने'],
])

const units = byWord<Unit>([
  ['rupees', 'रुपये रुपए रुपया रूपये रूपए rupees rupee'],
  ['dollars', 'डॉलर dollars dollar'],
  ['percent', 'प्रतिशत फ़ीसदी फीसद परसेंट percent'],
  ['clock', 'बजे बजकर'],
  ['meridiem', 'am pm a.m p.m'],
  [
    'month',
    `जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर सितम्बर अक्टूबर अक्तूबर नवंबर नवम्बर दिसंबर दिसम्बर january february march april
    june july august september october november december`,
  ],
  [
    'counted',
    `मिनट घंटे घंटा सेकंड दिन हफ़्ते महीने साल बार लोग किलो किलोमीटर मीटर लीटर minutes minute hours hour seconds days day weeks months
    years kilometres kilos`,
  ],
])

const joints = byWord<'and' | 'point' | 'double' | 'triple' | 'a'>([
  ['and', 'and'],
  ['point', 'point दशमलव पॉइंट'],
  ['double', 'double डबल'],
  ['triple', 'triple ट्रिपल'],
  ['a', 'a'],
])

export function tokenOf(word: string): Token | undefined {
  const plain = plainSpelling(word)
  const hindi = hindiNumbers.get(plain)
  if (hindi !== undefined) return { kind: 'number', value: hindi, from: 'hindi' }
  const english = englishNumbers.get(plain)
  if (english !== undefined) return { kind: 'number', value: english, from: 'english' }
  if (/^\d{1,9}$/u.test(plain)) return { kind: 'number', value: Number(plain), from: 'digits' }
  const multiplier = multipliers.get(plain)
  if (multiplier !== undefined) return { kind: 'multiplier', value: multiplier }
  const fraction = fractions.get(plain)
  if (fraction !== undefined) return { kind: 'fraction', ...fraction }
  const unit = units.get(plain)
  if (unit !== undefined) return { kind: 'unit', unit }
  const joint = joints.get(plain)
  return joint === undefined ? undefined : { kind: 'joint', joint }
}

function byWord<Value>(entries: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> {
  return new Map(
    entries.flatMap(([value, words]) => words.split(/\s+/u).map((word) => [plainSpelling(word), value] as const)),
  )
}

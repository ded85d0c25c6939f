import { plainSpelling } from '../text/numerals/hindi-numbers.ts'
import { peel } from '../text/script.ts'
import type { NumberKind } from './number-kinds.ts'

/** Words that say of digits near them what they are. */
const cueWords: Readonly<Record<NumberKind | 'pan', string>> = {
  phone: `phone phones telephone mobile cell whatsapp landline contact call fax
    फ़ोन फोन टेलीफ़ोन टेलिफ़ोन मोबाइल व्हाट्सऐप व्हाट्सएप वॉट्सऐप वाट्सऐप लैंडलाइन संपर्क सम्पर्क कॉल`,
  card: `card cards credit debit visa mastercard rupay cvv कार्ड क्रेडिट डेबिट वीज़ा मास्टरकार्ड रुपे सीवीवी`,
  aadhaar: `aadhaar aadhar adhaar adhar uid uidai आधार यूआईडी यूआइडी`,
  account: `account accounts acc a/c bank ifsc अकाउंट एकाउंट अकाउण्ट खाता खाते खाताः बैंक`,
  pan: `pan पैन`,
}
const cues = new Map<string, NumberKind | 'pan'>(
  Object.entries(cueWords).flatMap(([kind, words]) =>
    // as: the keys of the table above
    words.split(/\s+/u).map((word) => [plainSpelling(word), kind as NumberKind | 'pan'] as const),
  ),
)
const before = 12
const after = 5

/** What the words around a span of words call it. */
export function cuesAround(
  words: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): ReadonlySet<NumberKind | 'pan'> {
  const near = [...words.slice(Math.max(0, from - before), from), ...words.slice(to, to + after)]
  return new Set(near.flatMap((word) => cues.get(plainSpelling(peel(word).core)) ?? []))
}

import { agentWords } from './words.ts'

/** Numbers as they are said, up to what people order, book and pay. */
const small: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
    'शून्य एक दो तीन चार पांच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस',
    'shunya ek do teen char paanch chhe saat aath nau das gyarah barah terah chaudah pandrah solah satrah atharah unnis bees',
    'பூஜ்யம் ஒன்று இரண்டு மூன்று நான்கு ஐந்து ஆறு ஏழு எட்டு ஒன்பது பத்து',
  ].flatMap((line) => agentWords(line).map((word, value) => [word, value])),
)
const more: Readonly<Record<string, number>> = {
  पाँच: 5,
  छः: 6,
  चार: 4,
  chaar: 4,
  panch: 5,
  chhah: 6,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  तीस: 30,
  tees: 30,
  चालीस: 40,
  chalis: 40,
  पचास: 50,
  pachas: 50,
  साठ: 60,
  saath: 60,
  सत्तर: 70,
  अस्सी: 80,
  नब्बे: 90,
  half: 0.5,
  आधा: 0.5,
}
const scales: Readonly<Record<string, number>> = {
  hundred: 100,
  सौ: 100,
  sau: 100,
  நூறு: 100,
  thousand: 1_000,
  हज़ार: 1_000,
  हजार: 1_000,
  hazaar: 1_000,
  hazar: 1_000,
  ஆயிரம்: 1_000,
  lakh: 100_000,
  लाख: 100_000,
  crore: 10_000_000,
  करोड़: 10_000_000,
}

interface SaidNumber {
  readonly value: number
  /** Among the words of the text. */
  readonly at: number
  readonly words: number
}

/** Every number in a text, in order: digits, words, and words with a scale (`twenty five`, `दो हज़ार`). */
export function numbersIn(text: string): SaidNumber[] {
  const words = agentWords(devanagariDigits(text))
  const found: SaidNumber[] = []
  for (let at = 0; at < words.length; at += 1) {
    const read = readAt(words, at)
    if (!read) continue
    found.push({ value: read.value, at, words: read.next - at })
    at = read.next - 1
  }
  return found
}

function readAt(words: readonly string[], from: number): { value: number; next: number } | undefined {
  let next = from
  let total = 0
  let group: number | undefined
  for (; next < words.length; next += 1) {
    const word = words[next]!
    const value = valueOf(word)
    const scale = own(scales, word)
    if (value !== undefined && (group === undefined || (group >= 20 && value < 10))) group = (group ?? 0) + value
    else if (scale !== undefined && (group !== undefined || scale > 1)) {
      total += (group ?? 1) * scale
      group = undefined
    } else break
  }
  if (next === from) return undefined
  return { value: total + (group ?? 0), next }
}

function valueOf(word: string): number | undefined {
  if (/^\d/.test(word)) return Number(word.replaceAll(',', ''))
  return own(small, word) ?? own(more, word)
}

function own(input: Readonly<Record<string, number>>, word: string): number | undefined {
  return Object.hasOwn(input, word) ? input[word] : undefined
}

function devanagariDigits(text: string): string {
  return text.replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
}

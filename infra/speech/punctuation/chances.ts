/** What the model thinks of a word: how likely each mark after it is, and each way to write its letters. */
export interface Chances {
  readonly comma: number
  readonly stop: number
  readonly question: number
  readonly capital: number
  readonly capitals: number
}

const outputsACharacter = 7

/** Marks are read at the last character of a word, capitals at its first. */
export function chancesAt(logits: Float32Array, { first, last }: { first: number; last: number }): Chances {
  const [, comma, stop, question] = likelihoods(logits, last * outputsACharacter, 4)
  const [, capital, capitals] = likelihoods(logits, first * outputsACharacter + 4, 3)
  return { comma: comma!, stop: stop!, question: question!, capital: capital!, capitals: capitals! }
}

function likelihoods(logits: Float32Array, from: number, count: number): number[] {
  const values = Array.from(logits.subarray(from, from + count))
  const most = Math.max(...values)
  const weights = values.map((value) => Math.exp(value - most))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

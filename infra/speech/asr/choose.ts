/** The next token of one row, and how sure the model was of it. */
export interface RecogniserChoice {
  readonly token: number
  readonly logProb: number
}

/** Terms this far below the largest add less than a float can hold. */
const negligible = -18

/** The likeliest token: the first of equals. Two passes without branches that mispredict, no copies. */
export function likeliest(logits: Float32Array): RecogniserChoice {
  let token = 0
  let largest = -Infinity
  for (let i = 0; i < logits.length; i++) {
    const value = logits[i]!
    if (value > largest) {
      largest = value
      token = i
    }
  }
  return { token, logProb: -Math.log(sumOfExponentials(logits, largest)) }
}

/** A token drawn at a temperature; its probability is the one without it, so that temperatures can be compared. */
export function drawn(logits: Float32Array, temperature: number, random: () => number): RecogniserChoice {
  const { token: top, logProb: topLogProb } = likeliest(logits)
  const largest = logits[top]!
  let total = 0
  for (let i = 0; i < logits.length; i++) total += weight(logits[i]!, largest, temperature)
  let left = random() * total
  for (let i = 0; i < logits.length; i++) {
    left -= weight(logits[i]!, largest, temperature)
    if (left < 0) return { token: i, logProb: topLogProb + logits[i]! - largest }
  }
  return { token: top, logProb: topLogProb }
}

/** Marsaglia's xorshift with a fixed seed: the same clip gives the same answer everywhere. */
export function seededRandom(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

function sumOfExponentials(logits: Float32Array, largest: number): number {
  let sum = 0
  for (let i = 0; i < logits.length; i++) {
    const below = logits[i]! - largest
    if (below > negligible) sum += Math.exp(below)
  }
  return sum
}

function weight(logit: number, largest: number, temperature: number): number {
  const below = (logit - largest) / temperature
  return below > negligible ? Math.exp(below) : 0
}

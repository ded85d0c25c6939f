import type { LogProbs } from './logits.ts'

/** Where a symbol of the text was heard: frames, `end` exclusive, and its log-probability where it is clearest. */
export interface AlignedSymbol {
  readonly symbol: number
  readonly start: number
  readonly end: number
  readonly logProb: number
}

/**
 * The likeliest way to say exactly this sequence in these frames (Viterbi). Between any two symbols there may be blanks;
 * between two equal ones there must be. A sequence that does not fit into the frames has no alignment.
 */
export function align(logProbs: LogProbs, sequence: readonly number[], blank: number): AlignedSymbol[] {
  const { data, frames, symbols } = logProbs
  const states = 2 * sequence.length + 1
  const symbolAt = Int32Array.from({ length: states }, (_, state) => (state % 2 === 0 ? blank : sequence[state >> 1]!))
  const steps = new Uint8Array(frames * states)
  let scores = new Float64Array(states).fill(-Infinity)
  let next = new Float64Array(states)
  scores[0] = 0
  for (let frame = 0; frame < frames; frame++) {
    for (let state = 0; state < states; state++) {
      let step = 0
      let best = scores[state]!
      if (state > 0 && frame > 0 && scores[state - 1]! > best) [step, best] = [1, scores[state - 1]!]
      const skips = state > 1 && state % 2 === 1 && symbolAt[state] !== symbolAt[state - 2]
      if (skips && frame > 0 && scores[state - 2]! > best) [step, best] = [2, scores[state - 2]!]
      if (frame === 0 && state === 1) [step, best] = [1, 0]
      steps[frame * states + state] = step
      next[state] = best + data[frame * symbols + symbolAt[state]!]!
    }
    ;[scores, next] = [next, scores]
  }
  const last = states > 1 && scores[states - 2]! > scores[states - 1]! ? states - 2 : states - 1
  if (scores[last] === -Infinity) return []
  return spans(logProbs, sequence, pathTo(last, steps, frames))
}

/** The state of each frame, read backwards from the last. */
function pathTo(last: number, steps: Uint8Array, frames: number): Int32Array {
  const path = new Int32Array(frames)
  const states = frames === 0 ? 0 : steps.length / frames
  let state = last
  for (let frame = frames - 1; frame >= 0; frame--) {
    path[frame] = state
    state -= steps[frame * states + state]!
  }
  return path
}

function spans({ data, symbols }: LogProbs, sequence: readonly number[], path: Int32Array): AlignedSymbol[] {
  const aligned: AlignedSymbol[] = []
  for (let frame = 0; frame < path.length; frame++) {
    if (path[frame]! % 2 === 0) continue
    const index = path[frame]! >> 1
    const symbol = sequence[index]!
    const logProb = data[frame * symbols + symbol]!
    const known = aligned[index]
    aligned[index] = {
      symbol,
      start: known?.start ?? frame,
      end: frame + 1,
      logProb: Math.max(known?.logProb ?? -Infinity, logProb),
    }
  }
  return aligned
}

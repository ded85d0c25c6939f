import type { Paths } from './paths.ts'

export interface FrameScores {
  readonly frames: number
  readonly symbols: number
  /** Log-probabilities, a row a frame. */
  readonly rows: Float32Array
  /** Of each frame, how well a gap takes it in. */
  readonly gaps: Float32Array
}

/** Scores are kept once for so many frames, and of so many frames all of them: memory grows with the root of the length. */
const frameBlock = 176

/**
 * The likeliest path through all frames (Viterbi): the state of each. The way back needs the scores of every frame, which would not fit: they
 * are kept at the beginning of each block, and found again for one block after the other.
 */
export function bestPath(paths: Paths, scores: FrameScores): Int32Array {
  const search = { paths, scores, ways: waysOf(paths) }
  const path = new Int32Array(scores.frames)
  const blocks: Float64Array[] = []
  let [now, next] = [new Float64Array(paths.states).fill(-Infinity), new Float64Array(paths.states)]
  for (let frame = 0; frame < scores.frames; frame++) {
    if (frame % frameBlock === 0) blocks.push(now.slice())
    advance(search, frame, { now, next })
    ;[now, next] = [next, now]
  }
  let state = lastState(paths, now)
  for (let block = blocks.length - 1; block >= 0; block--) {
    const first = block * frameBlock
    const rows = rowsFrom(search, { first, end: Math.min(first + frameBlock, scores.frames), from: blocks[block]! })
    for (let frame = first + rows.length - 1; frame >= first; frame--) {
      path[frame] = state
      state = before(search, state, rows[frame - first]!)
    }
  }
  return path
}

interface Search {
  readonly paths: Paths
  readonly scores: FrameScores
  readonly ways: Ways
}

/** The same as tables: they are asked billions of times for minutes of speech. */
interface Ways {
  /** Of each word, and behind the last, the number of its first spelling. */
  readonly spellings: Int32Array
  /** By the number of the spelling. */
  readonly firsts: Int32Array
  readonly lasts: Int32Array
  readonly leaveCosts: Float64Array
  /** Nothing for a letter that may follow the letter before it without a blank between them. */
  readonly leapCosts: Float64Array
}

function waysOf({ states, symbols, words }: Paths): Ways {
  const all = words.flatMap(({ spellings }) => spellings)
  const leapCosts = new Float64Array(states).fill(-Infinity)
  for (const { first, last } of all)
    for (let state = first + 2; state <= last; state += 2)
      if (symbols[state] !== symbols[state - 2]) leapCosts[state] = 0
  let count = 0
  return {
    spellings: Int32Array.from([0, ...words.map(({ spellings }) => (count += spellings.length))]),
    firsts: Int32Array.from(all, ({ first }) => first),
    lasts: Int32Array.from(all, ({ last }) => last),
    leaveCosts: Float64Array.from(words, ({ leaveCost }) => leaveCost),
    leapCosts,
  }
}

/** The scores before each frame of a block. */
function rowsFrom(search: Search, block: { first: number; end: number; from: Float64Array }): Float64Array[] {
  const rows = [block.from]
  for (let frame = block.first; frame + 1 < block.end; frame++) {
    const next = new Float64Array(block.from.length)
    advance(search, frame, { now: rows.at(-1)!, next })
    rows.push(next)
  }
  return rows
}

/** One frame on. The first frame is in the first gap, or in the first letter of the first word. */
function advance(
  { paths: { gaps, symbols }, scores, ways }: Search,
  frame: number,
  { now, next }: { readonly now: Float64Array; readonly next: Float64Array },
): void {
  const { spellings, firsts, lasts, leaveCosts, leapCosts } = ways
  const { rows } = scores
  const at = frame * scores.symbols
  const heard = scores.gaps[frame]!
  for (let word = 0; word < gaps.length; word++) {
    const entry = frame === 0 && word === 0 ? 0 : now[gaps[word]!]!
    let best = entry
    if (word > 0) {
      best = Math.max(best, now[gaps[word - 1]!]! - leaveCosts[word - 1]!)
      for (let way = spellings[word - 1]!; way < spellings[word]!; way++) best = Math.max(best, now[lasts[way]!]!)
    }
    next[gaps[word]!] = best + heard
    if (word === gaps.length - 1) return
    for (let way = spellings[word]!; way < spellings[word + 1]!; way++) {
      const [first, last] = [firsts[way]!, lasts[way]!]
      next[first] = Math.max(entry, now[first]!) + rows[at + symbols[first]!]!
      for (let state = first + 1; state <= last; state++)
        next[state] =
          Math.max(now[state]!, now[state - 1]!, now[state - 2]! + leapCosts[state]!) + rows[at + symbols[state]!]!
    }
  }
}

/** Which state of the frame before it came from. */
function before({ paths: { gaps }, ways }: Search, state: number, now: Float64Array): number {
  const word = lastAtMost(gaps, state)
  const from = [{ state, score: now[state]! }]
  if (state === gaps[word]) {
    if (word > 0) {
      const left = gaps[word - 1]!
      from.push({ state: left, score: now[left]! - ways.leaveCosts[word - 1]! })
      for (const last of ways.lasts.subarray(ways.spellings[word - 1], ways.spellings[word]))
        from.push({ state: last, score: now[last]! })
    }
  } else if (ways.firsts.subarray(ways.spellings[word], ways.spellings[word + 1]).includes(state))
    from.push({ state: gaps[word]!, score: now[gaps[word]!]! })
  else
    from.push(
      { state: state - 1, score: now[state - 1]! },
      { state: state - 2, score: now[state - 2]! + ways.leapCosts[state]! },
    )
  return from.reduce((best, one) => (one.score > best.score ? one : best)).state
}

function lastAtMost(gaps: Int32Array, state: number): number {
  let [low, high] = [0, gaps.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (gaps[middle]! <= state) low = middle
    else high = middle - 1
  }
  return low
}

/** Behind the last word, or at its end. */
function lastState({ gaps, words }: Paths, scores: Float64Array): number {
  const ends = [gaps.at(-1)!, ...(words.at(-1)?.spellings ?? []).map(({ last }) => last)]
  const reached = ends.reduce((best, end) => (scores[end]! > scores[best]! ? end : best))
  if (scores[reached] !== -Infinity) return reached
  // there are fewer frames than words: as far as it went
  return gaps.reduce((best, gap) => (scores[gap]! > -Infinity ? gap : best), gaps[0]!)
}

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

/** Of frames and states: so many are looked at one and all, which takes seconds. Beyond it ways are given up. */
const exactMax = 360_000_000
/**
 * In nats: those that are so much less likely than the best one. It is what 600 letters cost that the text has and nobody said: what comes
 * behind more of these in a row is not found.
 */
const beam = 1500

/**
 * The likeliest path through all frames (Viterbi): the state of each. The way back needs the scores of every frame, which would not fit: they
 * are kept at the beginning of each block, and found again for one block after the other.
 */
export function bestPath(paths: Paths, scores: FrameScores): Int32Array {
  const search = {
    paths,
    scores,
    ways: waysOf(paths),
    width: paths.states * scores.frames <= exactMax ? Infinity : beam,
    bests: new Float64Array(paths.gaps.length),
  }
  const path = new Int32Array(scores.frames)
  const blocks: Kept[] = []
  const front = frontOf(search, { low: 0, high: 0, first: 0, scores: Float64Array.of(-Infinity) })
  for (let frame = 0; frame < scores.frames; frame++) {
    if (frame % frameBlock === 0) blocks.push(keep(search, front))
    advance(search, frame, front)
  }
  let state = lastState(search, front)
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
  readonly width: number
  /** Of each word that is looked at, and of the gap before it, the best score at this frame. */
  readonly bests: Float64Array
}

/** The scores at a frame, and those that become the next. Of words before `low` and behind `high` they are given up. */
interface Front {
  now: Float64Array
  next: Float64Array
  low: number
  high: number
}

/** What counts of a front: the scores from the first of its states on. */
interface Kept extends Pick<Readonly<Front>, 'low' | 'high'> {
  readonly first: number
  readonly scores: Float64Array
}

function keep({ paths }: Search, { now, low, high }: Front): Kept {
  const first = paths.gaps[low]!
  return { low, high, first, scores: now.slice(first, endOf(paths, high)) }
}

function frontOf({ paths }: Search, { low, high, first, scores }: Kept): Front {
  const now = new Float64Array(paths.states).fill(-Infinity)
  now.set(scores, first)
  return { now, next: new Float64Array(paths.states).fill(-Infinity), low, high }
}

/** Behind the last state of a word. */
function endOf({ gaps, states }: Paths, word: number): number {
  return gaps[word + 1] ?? states
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
function rowsFrom(search: Search, block: { first: number; end: number; from: Kept }): Kept[] {
  const rows = [block.from]
  const front = frontOf(search, block.from)
  for (let frame = block.first; frame + 1 < block.end; frame++) {
    advance(search, frame, front)
    rows.push(keep(search, front))
  }
  return rows
}

/** One frame on. */
function advance(search: Search, frame: number, front: Front): void {
  const { bests, width } = search
  front.high = Math.min(front.high + 1, bests.length - 1)
  const best = scoreWords(search, frame, front)
  ;[front.now, front.next] = [front.next, front.now]
  while (bests[front.low]! < best - width) giveUp(search, front, front.low++)
  while (bests[front.high]! < best - width) giveUp(search, front, front.high--)
}

/** In both, since the one becomes the other. */
function giveUp({ paths }: Search, { now, next }: Front, word: number): void {
  for (const scores of [now, next]) scores.fill(-Infinity, paths.gaps[word], endOf(paths, word))
}

/** The first frame is in the first gap, or in the first letter of the first word. */
function scoreWords({ paths: { gaps, symbols }, scores, ways, bests }: Search, frame: number, front: Front): number {
  const { spellings, firsts, lasts, leaveCosts, leapCosts } = ways
  const { now, next, low, high } = front
  const { rows } = scores
  const at = frame * scores.symbols
  const heard = scores.gaps[frame]!
  let bestOfAll = -Infinity
  for (let word = low; word <= high; word++) {
    const entry = frame === 0 && word === 0 ? 0 : now[gaps[word]!]!
    let best = entry
    if (word > 0) {
      best = Math.max(best, now[gaps[word - 1]!]! - leaveCosts[word - 1]!)
      for (let way = spellings[word - 1]!; way < spellings[word]!; way++) best = Math.max(best, now[lasts[way]!]!)
    }
    best += heard
    next[gaps[word]!] = best
    const end = word === gaps.length - 1 ? 0 : spellings[word + 1]!
    for (let way = spellings[word]!; way < end; way++) {
      const [first, last] = [firsts[way]!, lasts[way]!]
      next[first] = Math.max(entry, now[first]!) + rows[at + symbols[first]!]!
      best = Math.max(best, next[first])
      for (let state = first + 1; state <= last; state++) {
        const from = Math.max(now[state]!, now[state - 1]!, now[state - 2]! + leapCosts[state]!)
        next[state] = from + rows[at + symbols[state]!]!
        best = Math.max(best, next[state]!)
      }
    }
    bests[word] = best
    bestOfAll = Math.max(bestOfAll, best)
  }
  return bestOfAll
}

/** Which state of the frame before it came from. */
function before({ paths: { gaps }, ways }: Search, state: number, { first, scores }: Kept): number {
  const at = (other: number): number => scores[other - first] ?? -Infinity
  const word = lastAtMost(gaps, state)
  const from = [{ state, score: at(state) }]
  if (state === gaps[word]) {
    if (word > 0) {
      const left = gaps[word - 1]!
      from.push({ state: left, score: at(left) - ways.leaveCosts[word - 1]! })
      for (const last of ways.lasts.subarray(ways.spellings[word - 1], ways.spellings[word]))
        from.push({ state: last, score: at(last) })
    }
  } else if (ways.firsts.subarray(ways.spellings[word], ways.spellings[word + 1]).includes(state))
    from.push({ state: gaps[word]!, score: at(gaps[word]!) })
  else
    from.push(
      { state: state - 1, score: at(state - 1) },
      { state: state - 2, score: at(state - 2) + ways.leapCosts[state]! },
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

/** Behind the last word or at its end, or where it is likeliest that what comes next was left out. */
function lastState({ paths: { gaps }, ways }: Search, { now, low, high }: Front): number {
  const lasts = ways.lasts.subarray(ways.spellings.at(-2), ways.spellings.at(-1))
  const ends = Array.from(lasts, (state) => ({ state, score: now[state]! }))
  let leftOut = ways.leaveCosts.subarray(high).reduce((sum, cost) => sum + cost, 0)
  for (let word = high; word >= low; word--) {
    ends.push({ state: gaps[word]!, score: now[gaps[word]!]! - leftOut })
    leftOut += ways.leaveCosts[word - 1] ?? 0
  }
  return ends.reduce((best, one) => (one.score > best.score ? one : best)).state
}

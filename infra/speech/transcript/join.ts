import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Word } from '../asr/recogniser.ts'
import { mendSeam } from '../punctuation/seams.ts'
import type { Chunk } from '../vad/plan.ts'

/** Two chunks place the same word at most this far apart. */
const sameWordSeconds = 0.35

interface ChunkWords {
  readonly chunk: Chunk
  /** Times count from the start of the chunk. */
  readonly words: readonly Word[]
}

/** The words of all chunks with times in the recording. Where two chunks overlap, no word is lost and none doubled. */
export function joinChunks(heard: readonly ChunkWords[]): Word[] {
  const joined: Word[] = []
  let before: Chunk | undefined
  for (const { chunk, words } of heard) {
    const placed = words.map((word) => shifted(word, chunk.start / recogniserRate))
    const seam = before && chunk.start < before.end ? seamOf(before, chunk) : undefined
    // what ends before the seam stays as it is: hours of it are not copied for every chunk
    const settled = seam ? joined.findLastIndex(({ end }) => end <= seam.start) + 1 : joined.length
    const open = joined.splice(settled)
    const { kept, following } = seam
      ? joinAt(open, placed, { ...seam, heardUntil: joined.at(-1)?.end })
      : { kept: open, following: placed }
    joined.push(...kept)
    append(joined, following, { isCut: kept.length === open.length && following.length === placed.length })
    before = chunk
  }
  return joined
}

/** `isCut`: the last word before was the last of its chunk, and the first of these is the first of its own. */
function append(joined: Word[], following: readonly Word[], { isCut }: { isCut: boolean }): void {
  const [last, first] = [joined.at(-1), following[0]]
  if (!isCut || !last || !first) {
    joined.push(...following)
    return
  }
  const [before, after] = mendSeam(last, first)
  joined[joined.length - 1] = before
  joined.push(after, ...following.slice(1))
}

interface Seam {
  readonly start: number
  readonly cut: number
  readonly end: number
}

/** `heardUntil`: where the words end that do not reach into the seam. */
interface OpenSeam extends Seam {
  readonly heardUntil: number | undefined
}

function seamOf(left: Chunk, right: Chunk): Seam {
  return { start: right.start / recogniserRate, cut: right.ownStart / recogniserRate, end: left.end / recogniserRate }
}

interface Joined {
  readonly kept: readonly Word[]
  readonly following: readonly Word[]
}

/** Both chunks heard a word that they agree on: change over there. Else each answers for its side of the cut. */
function joinAt(left: readonly Word[], right: readonly Word[], seam: OpenSeam): Joined {
  const agreed = agreement(left, right, seam)
  if (agreed) return inOrder(left.slice(0, agreed.left + 1), right.slice(agreed.right + 1), seam.heardUntil)
  const kept = left.filter((word) => middle(word) < seam.cut)
  const until = kept.at(-1)?.end ?? seam.heardUntil ?? seam.start
  return inOrder(
    kept,
    right.filter((word) => middle(word) >= Math.min(until, seam.end)),
    seam.heardUntil,
  )
}

/** Two hearings of one place differ by some hundredths of a second: the later words give way. */
function inOrder(kept: readonly Word[], right: readonly Word[], heardUntil = 0): Joined {
  let at = kept.at(-1)?.end ?? heardUntil
  const following = right.map((word) => {
    const start = Math.max(word.start, at)
    at = Math.max(word.end, start)
    return { ...word, start, end: at }
  })
  return { kept, following }
}

function agreement(
  left: readonly Word[],
  right: readonly Word[],
  seam: Seam,
): { left: number; right: number } | undefined {
  let best: { left: number; right: number } | undefined
  let least = Infinity
  for (let i = left.length - 1; i >= 0 && left[i]!.end > seam.start; i--)
    for (let j = 0; j < right.length && right[j]!.start < seam.end; j++) {
      if (left[i]!.text !== right[j]!.text) continue
      const apart = Math.abs(middle(left[i]!) - middle(right[j]!))
      if (apart > sameWordSeconds) continue
      // A word said twice in a row matches crosswise too: how far apart the two hearings are decides before the cut does.
      const cost = 10 * apart + Math.abs(middle(left[i]!) - seam.cut)
      if (cost >= least) continue
      least = cost
      best = { left: i, right: j }
    }
  return best
}

function middle(word: Word): number {
  return (word.start + word.end) / 2
}

function shifted(word: Word, seconds: number): Word {
  return { ...word, start: word.start + seconds, end: word.end + seconds }
}

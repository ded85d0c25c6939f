import type { AudioDecodeOptions } from '../audio/decode.ts'
import type { Decoding } from '../audio/decoding.ts'
import { createSideJudge } from '../audio/signal/call-sides.ts'
import { recogniserRate } from '../../../actors/conversation/ports.ts'

/** What is transcribed by itself: all in one, or each side of a call. */
interface RecordedChannels {
  readonly channels: number
  /** Can be iterated once; leaving the loop ends the decoding. */
  readonly blocks: AsyncIterable<Block>
}

type Block = readonly Float32Array[]

/** Held until it is known: 15 MB. Who has said nothing by then has no side of their own. */
const judgedSeconds = 120

/** Where it was left to us, two channels stay apart if they are the sides of a call. */
export async function openChannels(
  decoding: Decoding,
  mode: AudioDecodeOptions['channels'],
): Promise<RecordedChannels> {
  const { channels } = decoding
  if (mode !== 'auto' || channels !== 2) return { channels, blocks: decoding }
  const coming = decoding[Symbol.asyncIterator]()
  const { held, areSides } = await judge(coming)
  return { channels: areSides ? 2 : 1, blocks: blocksOf(held, coming, areSides) }
}

async function judge(coming: AsyncIterator<Block>): Promise<{ held: Block[]; areSides: boolean }> {
  const sides = createSideJudge()
  const held: Block[] = []
  let samples = 0
  while (sides.areSides === undefined && samples < judgedSeconds * recogniserRate) {
    const { value, done } = await coming.next()
    if (done) break
    const [left, right] = value as readonly [Float32Array, Float32Array] // as: there are two channels
    sides.push(left, right)
    samples += left.length
    held.push(value)
  }
  return { held, areSides: sides.areSides === true }
}

async function* blocksOf(held: Block[], coming: AsyncIterator<Block>, areSides: boolean): AsyncGenerator<Block, void> {
  const given = (block: Block): Block => (areSides ? block : [averageOf(block)])
  try {
    for (let block = held.shift(); block; block = held.shift()) yield given(block)
    for (let next = await coming.next(); !next.done; next = await coming.next()) yield given(next.value)
  } finally {
    await coming.return?.()
  }
}

function averageOf(block: Block): Float32Array {
  const [left, right] = block as readonly [Float32Array, Float32Array] // as: there are two channels
  return left.map((sample, at) => (sample + right[at]!) / 2)
}

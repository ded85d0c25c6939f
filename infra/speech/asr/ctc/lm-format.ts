/**
 * A character n-gram model as one block of bytes that is used where it lies. Every n-gram is a node of a trie, numbered
 * level by level, so that the children of a node are neighbours and need no pointers of their own:
 *
 *   magic, version, order, symbols, contexts, nodes, step, unknown    8 words of 32 bits, little-endian
 *   codePoints  u32[symbols]        what the symbols mean, ascending
 *   first       u32[contexts + 1]   the first child of each context; the next entry is where they end
 *   suffix      u32[contexts]       the context without its oldest symbol
 *   symbol      u8[nodes]           the newest symbol of each n-gram, ascending among siblings
 *   logProb     u8[nodes]           of that symbol after the others, in steps below zero
 *   backOff     u8[contexts]        the weight of the shorter context, in steps below zero
 *
 * Node 0 is the empty context. Contexts are the nodes below the highest order: they come first.
 */
export const lmMagic = 0x4d_4c_4b_56 // 'VKLM'
export const lmVersion = 1
export const lmHeaderWords = 8
export const maxLmOrder = 12
export const maxLmSymbols = 255
export const boundary = ' '

export interface LmArrays {
  readonly order: number
  /** Nats for one step of the quantised values. */
  readonly step: number
  /** Log-probability of a symbol that the text never had, before any back-off. */
  readonly unknown: number
  readonly codePoints: Uint32Array
  readonly first: Uint32Array
  readonly suffix: Uint32Array
  readonly symbol: Uint8Array
  readonly logProb: Uint8Array
  readonly backOff: Uint8Array
}

export function lmBytes(lm: LmArrays): Uint8Array {
  const header = new ArrayBuffer(lmHeaderWords * 4)
  new Uint32Array(header).set([lmMagic, lmVersion, lm.order, lm.codePoints.length, lm.suffix.length, lm.symbol.length])
  new Float32Array(header).set([lm.step, lm.unknown], 6)
  const parts = [header, lm.codePoints, lm.first, lm.suffix, lm.symbol, lm.logProb, lm.backOff].map(asBytes)
  return Buffer.concat(parts)
}

/** Views on the bytes, nothing is copied. What the header promises is checked against the size. */
export function lmArrays(bytes: Uint8Array): LmArrays {
  if (bytes.byteOffset % 4 !== 0 || bytes.length < lmHeaderWords * 4) throw new Error('not a language model: too short')
  const [magic, version, order = 0, symbols = 0, contexts = 0, nodes = 0] = new Uint32Array(
    bytes.buffer,
    bytes.byteOffset,
    6,
  )
  if (magic !== lmMagic) throw new Error('not a language model: wrong first bytes')
  if (version !== lmVersion)
    throw new Error(`language model of version ${version}, expected ${lmVersion}: build it anew`)
  if (order < 1 || order > maxLmOrder || symbols < 1 || symbols > maxLmSymbols)
    throw new Error(
      `language model of order ${order} with ${symbols} symbols: beyond ${maxLmOrder} and ${maxLmSymbols}`,
    )
  const expected = 4 * (lmHeaderWords + symbols + contexts + 1 + contexts) + 2 * nodes + contexts
  if (bytes.length !== expected) throw new Error(`language model of ${bytes.length} bytes, expected ${expected}`)
  const [step = 0, unknown = 0] = new Float32Array(bytes.buffer, bytes.byteOffset + 24, 2)
  let at = bytes.byteOffset + lmHeaderWords * 4
  const words = (length: number) => new Uint32Array(bytes.buffer, (at += length * 4) - length * 4, length)
  const octets = (length: number) => new Uint8Array(bytes.buffer, (at += length) - length, length)
  return {
    order,
    step,
    unknown,
    codePoints: words(symbols),
    first: words(contexts + 1),
    suffix: words(contexts),
    symbol: octets(nodes),
    logProb: octets(nodes),
    backOff: octets(contexts),
  }
}

function asBytes(part: ArrayBuffer | Uint8Array | Uint32Array): Uint8Array {
  return part instanceof ArrayBuffer
    ? new Uint8Array(part)
    : new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
}

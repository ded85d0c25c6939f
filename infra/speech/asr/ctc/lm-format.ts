import type { LmShape } from './lm-trie.ts'

/**
 * A character n-gram model as one block of bytes that is used where it lies (see lm-trie.ts for the trie):
 *
 *   magic, version, order, symbols, contexts, ngrams, step, unknown   8 words of 32 bits, little-endian
 *   codePoints   u32[symbols]       what the symbols mean, ascending
 *   contextBits  u32[ngrams / 32]   which n-grams are contexts
 *   children     u8[contexts]       how many n-grams continue each context
 *   backOff      u8[contexts]       the weight of the shorter context, in steps below `backOffZero`
 *   symbol       u8[ngrams]         the newest symbol of each n-gram
 *   logProb      u8[ngrams]         of that symbol after the others, in steps below zero
 *
 * Where children begin and which context is the suffix of which is not written down: both follow from the rest.
 */
const lmVersion = 2
export const maxLmOrder = 12
export const maxLmSymbols = 255
export const wordBoundary = ' '
/** The back-off that stands for a weight of one: in a pruned model a shorter context may be given more than its due. */
export const backOffZero = 64

const lmMagic = 0x4d_4c_4b_56 // 'VKLM'
const headerWords = 8
export const lmHeaderBytes = headerWords * 4

interface LmArrays extends LmShape {
  readonly order: number
  /** Nats for one step of the quantised values. */
  readonly step: number
  /** Log-probability of a symbol that the text never had, before any back-off. */
  readonly unknown: number
  readonly codePoints: Uint32Array
  readonly logProb: Uint8Array
  readonly backOff: Uint8Array
}

export function lmBytes(lm: LmArrays): Uint8Array {
  const header = new ArrayBuffer(headerWords * 4)
  const sizes = [lm.codePoints.length, lm.children.length, lm.symbol.length]
  new Uint32Array(header).set([lmMagic, lmVersion, lm.order, ...sizes])
  new Float32Array(header).set([lm.step, lm.unknown], 6)
  const parts = [header, lm.codePoints, lm.contextBits, lm.children, lm.backOff, lm.symbol, lm.logProb]
  return Buffer.concat(parts.map(asBytes))
}

interface LmSizes {
  readonly symbols: number
  readonly contexts: number
  readonly ngrams: number
}

export function lmSizeBytes({ symbols, contexts, ngrams }: LmSizes): number {
  return 4 * (headerWords + symbols + Math.ceil(ngrams / 32)) + 2 * contexts + 2 * ngrams
}

/** What the header promises. */
export function lmSizesOf(bytes: Uint8Array): LmSizes & { readonly order: number } {
  if (bytes.byteOffset % 4 !== 0 || bytes.length < lmHeaderBytes) throw new Error('not a language model: too short')
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, headerWords)
  const [magic, version, order = 0, symbols = 0, contexts = 0, ngrams = 0] = header
  if (magic !== lmMagic) throw new Error('not a language model: wrong first bytes')
  if (version !== lmVersion)
    throw new Error(`language model of version ${version}, expected ${lmVersion}: build it anew`)
  if (order < 1 || order > maxLmOrder || symbols < 1 || symbols > maxLmSymbols)
    throw new Error(
      `language model of order ${order} with ${symbols} symbols: beyond ${maxLmOrder} and ${maxLmSymbols}`,
    )
  return { order, symbols, contexts, ngrams }
}

/** Views on the bytes, nothing is copied. What the header promises is checked against the size. */
export function lmArrays(bytes: Uint8Array): LmArrays {
  const { order, symbols, contexts, ngrams } = lmSizesOf(bytes)
  const expected = lmSizeBytes({ symbols, contexts, ngrams })
  if (bytes.length !== expected) throw new Error(`language model of ${bytes.length} bytes, expected ${expected}`)
  const [step = 0, unknown = 0] = new Float32Array(bytes.buffer, bytes.byteOffset + 24, 2)
  let at = bytes.byteOffset + lmHeaderBytes
  const words = (length: number) => new Uint32Array(bytes.buffer, (at += length * 4) - length * 4, length)
  const octets = (length: number) => new Uint8Array(bytes.buffer, (at += length) - length, length)
  return {
    order,
    step,
    unknown,
    codePoints: words(symbols),
    contextBits: words(Math.ceil(ngrams / 32)),
    children: octets(contexts),
    backOff: octets(contexts),
    symbol: octets(ngrams),
    logProb: octets(ngrams),
  }
}

function asBytes(part: ArrayBuffer | Uint8Array | Uint32Array): Uint8Array {
  return part instanceof ArrayBuffer
    ? new Uint8Array(part)
    : new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
}

import { z } from 'zod'

/** Byte-level BPE as Whisper uses it: every token is a run of bytes, and only whole sequences need to be valid UTF-8. */
export interface Tokenizer extends TokenMarks {
  readonly size: number
  /** Ids from here on are marks (languages, tasks, times), not text. */
  readonly firstMark: number
  bytesOf(id: number): Uint8Array
  /** Text of the text tokens; marks are left out. */
  decode(ids: readonly number[]): string
  encode(text: string): number[]
}

export interface TokenMarks {
  readonly markId: (content: string) => number | undefined
  /** The marks by content, such as `<|en|>`. */
  readonly marks: ReadonlyMap<string, number>
}

const marksSchema = z.object({
  added_tokens: z.array(z.object({ id: z.int().nonnegative(), content: z.string() })),
})
const fileSchema = marksSchema.extend({
  model: z.object({
    vocab: z.record(z.string(), z.int().nonnegative()),
    merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])),
  }),
})

export function readTokenizer(json: unknown): Tokenizer {
  const file = fileSchema.parse(json)
  const { marks, markId } = marksOf(file)
  const firstMark = Math.min(...marks.values())
  const ids = new Map(Object.entries(file.model.vocab))
  const size = Math.max(firstMark, ...marks.values()) + 1
  const bytesOf = piecesOf(ids, firstMark)
  const ranks = new Map(file.model.merges.map((pair, rank) => [typeof pair === 'string' ? pair : pair.join(' '), rank]))

  return {
    size,
    firstMark,
    marks,
    markId,
    bytesOf,
    decode: (tokens) => decoder.decode(joinBytes(tokens.map(bytesOf))),
    encode: (text) =>
      Array.from(text.matchAll(wordPattern), ([word]) => mergeWord(word, ranks)).flatMap((tokens) =>
        tokens.map((token) => {
          const id = ids.get(token)
          if (id === undefined) throw new RangeError(`the vocabulary has no token for ${JSON.stringify(token)}`)
          return id
        }),
      ),
  }
}

/** For who writes no text: fifty thousand words that nobody looks up take half a second and sixty megabytes. */
export function readTokenMarks(json: unknown): TokenMarks {
  return marksOf(marksSchema.parse(json))
}

function marksOf(file: z.output<typeof marksSchema>): TokenMarks {
  const marks = new Map(file.added_tokens.map(({ id, content }) => [content, id]))
  return { marks, markId: (content) => marks.get(content) }
}

/** All tokens one after the other in one array: fifty thousand small ones would take ten times the memory. */
function piecesOf(ids: ReadonlyMap<string, number>, firstMark: number): (id: number) => Uint8Array {
  const tokens: string[] = []
  for (const [token, id] of ids) if (id < firstMark) tokens[id] = token
  const starts = new Uint32Array(firstMark + 1)
  for (let id = 0; id < firstMark; id++) starts[id + 1] = starts[id]! + (tokens[id]?.length ?? 0)
  const bytes = new Uint8Array(starts[firstMark]!)
  for (let id = 0; id < firstMark; id++) bytes.set(bytesOfToken(tokens[id] ?? ''), starts[id])
  return (id) => bytes.subarray(starts[id] ?? bytes.length, starts[id + 1] ?? bytes.length)
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
/** GPT-2's split: contractions, words, numbers and signs, each with the space before it. */
const wordPattern = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu

/** GPT-2 writes each byte as a printable character: itself where it prints, else the next free one from U+0100 on. */
const characterOfByte = byteAlphabet()
const byteOfCharacter = new Map(characterOfByte.map((character, byte) => [character, byte]))

function byteAlphabet(): string[] {
  const prints = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff)
  let free = 0x100
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(prints(byte) ? byte : free++))
}

function bytesOfToken(token: string): Uint8Array {
  return Uint8Array.from(token, (character) => byteOfCharacter.get(character) ?? 0)
}

function mergeWord(word: string, ranks: ReadonlyMap<string, number>): string[] {
  let parts = Array.from(new TextEncoder().encode(word), (byte) => characterOfByte[byte]!)
  for (;;) {
    const best = lowestPair(parts, ranks)
    if (best === undefined) return parts
    const merged: string[] = []
    for (let i = 0; i < parts.length; i++) {
      const pair = `${parts[i]} ${parts[i + 1]}`
      if (pair === best && i + 1 < parts.length) merged.push(`${parts[i]}${parts[++i]}`)
      else merged.push(parts[i]!)
    }
    parts = merged
  }
}

function lowestPair(parts: readonly string[], ranks: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined
  let bestRank = Infinity
  for (let i = 0; i + 1 < parts.length; i++) {
    const pair = `${parts[i]} ${parts[i + 1]}`
    const rank = ranks.get(pair) ?? Infinity
    if (rank < bestRank) {
      best = pair
      bestRank = rank
    }
  }
  return best
}

/** Pieces of words in the manner of SentencePiece: `▁` is a space, `<0x41>` a byte. Decodes only. */
export interface MoonshineVocabulary {
  readonly size: number
  bytesOf(id: number): Uint8Array
  /** Marks write nothing; bytes are put together before they are read as UTF-8. */
  decode(ids: readonly number[]): string
}

/** "<unk>", "<s>", "</s>": the first three pieces of every such vocabulary, as the start of its base64. */
const opening = Buffer.from('<unk>\n<s>\n</s>\n').toString('base64')
const marks = new Set(['<unk>', '<s>', '</s>'])
const leastPieces = 1000

/**
 * The package ships its vocabulary inside its script, as base64 of one piece a line. It is read from there as data:
 * the script is never run.
 */
export function readVocabulary(script: string): MoonshineVocabulary {
  const start = script.indexOf(opening)
  const run = start < 0 ? undefined : /^[A-Za-z0-9+/=]+/.exec(script.slice(start))?.[0]
  const lines = Buffer.from(run ?? '', 'base64')
    .toString('utf8')
    .split('\n')
  if (lines.length < leastPieces)
    throw new RangeError('no vocabulary found: the file is not the script of the Moonshine package')
  const pieces = lines.map(bytesOfPiece)

  return {
    size: pieces.length,
    bytesOf: (id) => pieces[id] ?? new Uint8Array(),
    decode: (ids) => decoder.decode(Buffer.concat(ids.map((id) => pieces[id] ?? new Uint8Array()))),
  }
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const encoder = new TextEncoder()

function bytesOfPiece(piece: string): Uint8Array {
  if (marks.has(piece)) return new Uint8Array()
  const byte = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1]
  return byte === undefined ? encoder.encode(piece.replaceAll('▁', ' ')) : Uint8Array.of(Number.parseInt(byte, 16))
}

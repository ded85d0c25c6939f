/**
 * Protocol-buffer wire format, as much as ONNX files use. Bytes fields are views into the source: a model of hundreds
 * of megabytes is read and written again without copying its weights more than once.
 */
export type Field =
  | { readonly number: number; readonly kind: 'varint'; readonly value: bigint }
  | { readonly number: number; readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly number: number; readonly kind: 'fixed'; readonly value: Uint8Array }

const wireVarint = 0
const wireFixed64 = 1
const wireBytes = 2
const wireFixed32 = 5
const continuation = 0x80
const longestVarintBits = 63n

export function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0
  while (at < bytes.length) {
    const [tag, afterTag] = varint(bytes, at)
    const number = Number(tag >> 3n)
    const wire = Number(tag & 7n)
    if (wire === wireVarint) {
      const [value, next] = varint(bytes, afterTag)
      yield { number, kind: 'varint', value }
      at = next
      continue
    }
    const [start, length] = extent(bytes, { wire, at: afterTag })
    if (start + length > bytes.length) throw new RangeError(`field ${number} is cut off at byte ${bytes.length}`)
    yield { number, kind: wire === wireBytes ? 'bytes' : 'fixed', value: bytes.subarray(start, start + length) }
    at = start + length
  }
}

export function wireText(bytes: Uint8Array): string {
  return utf8.decode(bytes)
}

/** Repeated integers come packed in one field or as one field each; this reads one field of either kind. */
export function* integersOf(field: Field): Generator<bigint> {
  if (field.kind === 'varint') return yield BigInt.asIntN(64, field.value)
  let at = 0
  while (at < field.value.length) {
    const [value, next] = varint(field.value, at)
    yield BigInt.asIntN(64, value)
    at = next
  }
}

/** Pieces of a message; joined once, at the end. */
export type WirePiece = Uint8Array | readonly WirePiece[]

export function varintField(number: number, value: number | bigint): WirePiece {
  return [encodeVarint(BigInt(number) << 3n), encodeVarint(BigInt.asUintN(64, BigInt(value)))]
}

export function bytesField(number: number, value: WirePiece): WirePiece {
  return [encodeVarint((BigInt(number) << 3n) | BigInt(wireBytes)), encodeVarint(BigInt(sizeOf(value))), value]
}

export function floatField(number: number, value: number): WirePiece {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, value, true)
  return [encodeVarint((BigInt(number) << 3n) | BigInt(wireFixed32)), bytes]
}

export function textField(number: number, value: string): WirePiece {
  return bytesField(number, new TextEncoder().encode(value))
}

export function joinedBytes(piece: WirePiece): Uint8Array {
  const whole = new Uint8Array(sizeOf(piece))
  let at = 0
  const write = (part: WirePiece): void => {
    if (part instanceof Uint8Array) {
      whole.set(part, at)
      at += part.length
    } else for (const inner of part) write(inner)
  }
  write(piece)
  return whole
}

const utf8 = new TextDecoder('utf-8', { fatal: false })

function sizeOf(piece: WirePiece): number {
  if (piece instanceof Uint8Array) return piece.length
  return piece.reduce((sum: number, part) => sum + sizeOf(part), 0)
}

function extent(bytes: Uint8Array, { wire, at }: { wire: number; at: number }): [number, number] {
  if (wire === wireFixed64) return [at, 8]
  if (wire === wireFixed32) return [at, 4]
  if (wire !== wireBytes) throw new RangeError(`wire type ${wire} is not one that ONNX files use`)
  const [length, start] = varint(bytes, at)
  return [start, Number(length)]
}

function varint(bytes: Uint8Array, start: number): [bigint, number] {
  let value = 0n
  let at = start
  for (let shift = 0n; shift <= longestVarintBits; shift += 7n) {
    const byte = bytes[at++]
    if (byte === undefined) throw new RangeError(`a number is cut off at byte ${bytes.length}`)
    value |= BigInt(byte & 0x7f) << shift
    if (byte < continuation) return [value, at]
  }
  throw new RangeError(`the number at byte ${start} is longer than 64 bits`)
}

function encodeVarint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= BigInt(continuation)) {
    bytes.push(Number(rest & 0x7fn) | continuation)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

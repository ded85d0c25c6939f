import { open, realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

import type { OnnxModel, Named } from './model.ts'
import { elementType, externalTensor, readTensor, writeModel } from './model.ts'

/** A model as it lies on the disk, while it is rewritten. */
export interface OnnxFile {
  readonly folder: string
  readonly name: string
  readonly bytes: Uint8Array
}

/** A rewritten model without the weights that its file has already: the runtime maps those from the disk. */
export interface PartOfFile {
  readonly bytes: Uint8Array
  readonly weightsIn: string
}

/**
 * Reads a model, lets it be used and gives its memory back at once: for the collector it is one object among thousands,
 * and a thread that only computes would keep it for minutes.
 */
export async function withModelFile<Result>(path: string, use: (file: OnnxFile) => Promise<Result>): Promise<Result> {
  const real = await realpath(path) // the runtime takes no weights from behind a link
  const handle = await open(real)
  try {
    const { size } = await handle.stat()
    const memory = new ArrayBuffer(size, { maxByteLength: size })
    const bytes = new Uint8Array(memory)
    for (let at = 0; at < size;) {
      const { bytesRead } = await handle.read(bytes, at, size - at, at)
      if (bytesRead === 0) throw new RangeError(`${path} became shorter while it was read`)
      at += bytesRead
    }
    try {
      return await use({ folder: dirname(real), name: basename(real), bytes })
    } finally {
      memory.resize(0)
    }
  } finally {
    await handle.close()
  }
}

/** Several sessions of one file share its pages, and a table of which a few rows are read takes as much memory as they do. */
export function partOf(file: OnnxFile, model: OnnxModel): PartOfFile {
  const initializers = model.graph.initializers.map((initializer) => leftIn(file, initializer))
  return { bytes: writeModel({ ...model, graph: { ...model.graph, initializers } }), weightsIn: file.folder }
}

/** Less is not worth a mapping, which takes whole pages. */
const smallestLeft = 16 * 1024

function leftIn(file: OnnxFile, initializer: Named): Named {
  const { type, raw, dims } = readTensor(initializer)
  // tensors begin at any byte of the file, where only bytes may lie
  const isBytes = type === elementType.int8 || type === elementType.uint8
  if (!isBytes || raw.buffer !== file.bytes.buffer || raw.length < smallestLeft) return initializer
  const offset = raw.byteOffset - file.bytes.byteOffset
  return externalTensor({ name: initializer.name, type, dims }, { location: file.name, offset, length: raw.length })
}

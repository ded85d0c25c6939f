import { Tensor } from 'onnxruntime-node'

import { hiddenValue, logitsAt, projectOnly } from '../onnx/fold-projection.ts'
import type { OnnxFile } from '../onnx/model-file.ts'
import { withModelFile } from '../onnx/model-file.ts'
import { decoderParts, heardInput } from './decoder-parts.ts'
import { openDecoder } from './decoder.ts'
import { openModel } from './session.ts'

/** How likely each of a few tokens is to be the first. How the decoder goes on, and what it says of all others, is not opened. */
interface FirstToken {
  /** What the encoder gave → their logits, in the order in which they were named. */
  logitsOf(heard: Tensor): Promise<Float32Array>
  close(): Promise<void>
}

interface FirstTokenFiles {
  readonly decoder: string
  /** Only for exports whose decoder is two files. */
  readonly decoderWithPast?: string
}

interface FirstTokenOptions {
  readonly threads: number
  readonly after: number
  readonly among: readonly number[]
}

/** A decoder that cannot be taken apart so far is opened as a whole. */
export async function openFirstToken(files: FirstTokenFiles, options: FirstTokenOptions): Promise<FirstToken> {
  const parts =
    files.decoderWithPast === undefined
      ? await withModelFile(files.decoder, (file) => openParts(file, options))
      : undefined
  return parts ?? openWhole(files, options)
}

async function openParts(
  file: OnnxFile,
  { threads, after, among }: FirstTokenOptions,
): Promise<FirstToken | undefined> {
  const parts = decoderParts({ decoder: file, batch: false })
  const few = parts.projection && projectOnly(parts.projection().model, among)
  if (!parts.prompt || !few) return undefined
  const memory = await openModel(file, parts.memory().model, threads)
  const prompt = await openModel(file, parts.prompt().model, threads)
  const projection = await openModel(file, few, threads)
  const begin = {
    input_ids: new Tensor('int64', BigInt64Array.of(BigInt(after)), [1, 1]),
    [logitsAt]: new Tensor('int64', BigInt64Array.of(0n), [1]),
  }
  return {
    async logitsOf(heard) {
      const attended = await memory.run({ [heardInput]: heard })
      const { [hiddenValue]: hidden } = await prompt.run({ ...attended, ...begin }, [hiddenValue])
      const { logits } = await projection.run({ [hiddenValue]: hidden! })
      if (!(logits?.data instanceof Float32Array)) throw new TypeError(`logits are ${logits?.type}, not float32`)
      return logits.data
    },
    async close() {
      for (const session of [memory, prompt, projection]) await session.release()
    },
  }
}

async function openWhole(files: FirstTokenFiles, { threads, after, among }: FirstTokenOptions): Promise<FirstToken> {
  const decoder = await openDecoder({ ...files, batch: false }, threads)
  return {
    async logitsOf(heard) {
      const memory = await decoder.attend(heard)
      const { logits } = await decoder.prompt(memory, [after], { positions: [0], attentionOf: [] })
      return Float32Array.from(among, (token) => logits[token] ?? -Infinity)
    },
    close: () => decoder.close(),
  }
}

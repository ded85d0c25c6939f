import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { MoonshineFiles } from '../../../infra/speech/asr/moonshine/moonshine.ts'
import { readVocabulary } from '../../../infra/speech/asr/moonshine/vocabulary.ts'
import type { BenchListener } from './listener.ts'

interface Sherpa {
  readonly OfflineRecognizer: new (config: object) => OfflineRecognizer
}

interface OfflineRecognizer {
  createStream(): { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void }
  decode(stream: object): void
  getResult(stream: object): { text: string }
}

const melBins = 80

/** sherpa-onnx-node on the published weights. It wants the vocabulary as a file of its own: base64 of a piece, and its number. */
export async function openSherpa(
  { from, files }: { readonly from: string; readonly files: MoonshineFiles },
  threads: number,
): Promise<BenchListener> {
  const require = createRequire(join(resolve(from), 'package.json'))
  const { OfflineRecognizer } = require('sherpa-onnx-node') as Sherpa // as: it comes without types
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  const tokens = join(folder, 'tokens.txt')
  await writeFile(tokens, tokensOf(await readFile(files.vocabulary, 'utf8')))
  const recognizer = new OfflineRecognizer({
    featConfig: { sampleRate: recogniserRate, featureDim: melBins },
    modelConfig: {
      moonshine: { encoder: files.encoder, mergedDecoder: files.decoder },
      tokens,
      numThreads: threads,
      provider: 'cpu',
    },
  })
  await rm(folder, { recursive: true })
  return {
    hear(samples) {
      const stream = recognizer.createStream()
      stream.acceptWaveform({ samples, sampleRate: recogniserRate })
      recognizer.decode(stream)
      return Promise.resolve(recognizer.getResult(stream).text)
    },
    close: () => Promise.resolve(),
  }
}

function tokensOf(script: string): string {
  const vocabulary = readVocabulary(script)
  const lines = Array.from({ length: vocabulary.size }, (_, id) => {
    const piece = vocabulary.bytesOf(id)
    return `${Buffer.from(piece.length > 0 ? piece : Buffer.from(`<${id}>`)).toString('base64')} ${id}\n`
  })
  return lines.join('')
}

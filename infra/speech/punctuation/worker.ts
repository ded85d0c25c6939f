import { readFile } from 'node:fs/promises'
import { workerData } from 'node:worker_threads'

import { Tensor } from 'onnxruntime-node'
import { z } from 'zod'

import { parseVocabulary } from '../asr/ctc/vocabulary.ts'
import { openOnnxSession } from '../asr/session.ts'
import { serveThread } from '../threads/serve.ts'
import { chancesAt } from './chances.ts'
import type { Chances } from './chances.ts'
import { readingOf, windowsOf } from './reading.ts'
import type { ReadWord } from './reading.ts'

const optionsSchema = z.object({ modelPath: z.string(), vocabularyPath: z.string() })
const requestSchema = z.array(z.object({ text: z.string(), pause: z.number() }))

await serveThread(async () => {
  const { modelPath, vocabularyPath } = optionsSchema.parse(workerData)
  const { symbols } = parseVocabulary(await readFile(vocabularyPath, 'utf8'))
  const session = await openOnnxSession(modelPath, 1)

  async function read(words: readonly ReadWord[]): Promise<Chances[]> {
    const { ids, pauses, places } = readingOf(words, symbols)
    const shape = [1, ids.length]
    const { logits } = await session.run({
      ids: new Tensor('int64', ids, shape),
      pauses: new Tensor('float32', pauses, shape),
    })
    return places.map((place) => chancesAt(logits!.data as Float32Array, place)) // as: the model's card says so
  }

  return async (request) => {
    const words = requestSchema.parse(request)
    const chances: Chances[] = []
    for (const { start, end, from, to } of windowsOf(words))
      chances.push(...(await read(words.slice(start, end))).slice(from - start, to - start))
    return chances
  }
})

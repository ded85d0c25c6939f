import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

import { z } from 'zod'

import { retryable, terminal } from '../../../../actors/failure.ts'
import type { Owner } from '../../../../actors/ids.ts'
import type { ModelStore } from '../../models/store.ts'
import { stylesModel, weightsModel } from '../../models/voice-models.ts'
import { onBehalfOf } from '../../threads/model-time.ts'
import { openWorkerPool } from '../../threads/pool.ts'
import { styleRows, styleWidth } from './styles.ts'
import type { Style } from './styles.ts'

/** Kokoro's weights in a thread of their own, and its styles. */
export interface KokoroModel {
  run(request: KokoroRequest, asker: Asker): Promise<KokoroAnswer>
  /** By its name in the package of voices: `hf_alpha`. */
  styleOf(name: string): Style
  close(): Promise<void>
}

interface Asker {
  readonly signal: AbortSignal
  /** Who had least of the models lately is next. */
  readonly owner?: Owner
}

interface KokoroRequest {
  readonly tokens: readonly number[]
  readonly style: Float32Array
  readonly speed: number
  /** Semitones. */
  readonly pitch: number
}

interface KokoroAnswer {
  /** At 24 kHz. */
  readonly samples: Float32Array
  readonly durations: Float32Array
}

const answerSchema = z.object({ samples: z.instanceof(Float32Array), durations: z.instanceof(Float32Array) })
/** Clauses that wait for the model, or are spoken; it speaks one at a time. */
const waitingMax = 256

export async function openKokoro(store: ModelStore, given: { threads?: number } = {}): Promise<KokoroModel> {
  const weights = await store.locate(weightsModel)
  const styles = await store.locate(stylesModel)
  const pool = await openWorkerPool<KokoroRequest, KokoroAnswer>({
    entry: new URL('./worker.js', import.meta.url),
    workerData: {
      parts: Object.values(weights.files),
      cached: weights.cachedIn,
      threads: given.threads ?? availableParallelism(),
    },
    size: 1,
    holdsModel: true,
    decode: (answer) => answerSchema.parse(answer),
  })
  const read = new Map<string, Style>()
  let waiting = 0

  return {
    async run(request, { signal, owner }) {
      if (waiting >= waitingMax)
        throw retryable('overloaded', `${waitingMax} clauses are waiting to be spoken, which is the limit.`)
      waiting += 1
      return onBehalfOf(owner, () => pool.run(request, signal)).finally(() => (waiting -= 1))
    },
    styleOf(name) {
      const known = read.get(name)
      if (known) return known
      const path = styles.files[`${name}.bin`]
      if (path === undefined) throw terminal('invalid_request', `There is no style ${JSON.stringify(name)}.`)
      const style = readStyle(path)
      read.set(name, style)
      return style
    },
    close: () => pool.close(),
  }
}

/** Half a megabyte, read once a style. */
function readStyle(path: string): Style {
  const bytes = readFileSync(path)
  if (bytes.length !== styleRows * styleWidth * Float32Array.BYTES_PER_ELEMENT)
    throw new Error(`${path} is not a style of ${styleRows} rows`)
  return new Float32Array(new Uint8Array(bytes).buffer)
}

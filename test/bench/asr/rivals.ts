import { openWorkerPool } from '../../../infra/speech/threads/pool.ts'
import type { LocatedModel } from '../../../infra/speech/models/model.ts'
import type { MoonshineFiles } from '../../../infra/speech/asr/moonshine/moonshine.ts'
import { openPlainMoonshine } from './plain-moonshine.ts'
import { openSherpa } from './sherpa.ts'
import { openTransformers } from './transformers.ts'
import type { Contestant, Layout } from './race.ts'
import type { BenchListener } from './listener.ts'

/** Somebody else's way to recognise, on our weights. `from` is the folder where npm installed it. */
export type Rival =
  | { readonly kind: 'transformers'; readonly from: string; readonly model: LocatedModel; readonly language: string }
  | { readonly kind: 'sherpa'; readonly from: string; readonly files: MoonshineFiles }
  | { readonly kind: 'plain loop'; readonly files: MoonshineFiles }

export function openRival(rival: Rival, threads: number): Promise<BenchListener> {
  switch (rival.kind) {
    case 'transformers':
      return openTransformers(rival, threads)
    case 'sherpa':
      return openSherpa(rival, threads)
    case 'plain loop':
      return openPlainMoonshine(rival.files, threads)
    default:
      return rival satisfies never
  }
}

const names: Readonly<Record<Rival['kind'], string>> = {
  transformers: '@huggingface/transformers',
  sherpa: 'sherpa-onnx-node',
  'plain loop': 'plain loop over the published decoder',
}

/** With the same layouts as ours: all threads for one clip, or a clip for every thread. */
export async function aRival(rival: Rival, layout: Layout, cores: number): Promise<Contestant> {
  const about = { name: names[rival.kind], layout, guard: 'none', isReference: rival.kind !== 'sherpa' }
  if (layout === 'one clip') {
    const listener = await openRival(rival, cores)
    return { ...about, hear: async ([clip]) => [await listener.hear(clip!)], close: () => listener.close() }
  }
  const pool = await openWorkerPool<Float32Array, string>({
    entry: new URL('./rival-lane.js', import.meta.url),
    workerData: rival,
    size: cores,
    decode: String,
  })
  return {
    ...about,
    async hear(clips) {
      const texts: string[] = []
      const longestFirst = [...clips.entries()].sort(([, one], [, other]) => other.length - one.length)
      await Promise.all(longestFirst.map(async ([at, clip]) => (texts[at] = await pool.run(clip))))
      return texts
    },
    close: () => pool.close(),
  }
}

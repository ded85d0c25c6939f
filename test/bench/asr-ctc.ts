import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { openCtcRecogniser } from '../../infra/speech/asr/ctc/recogniser.ts'
import { openModelStore } from '../../infra/speech/models/store.ts'
import { errorRates } from '../../infra/speech/text/error-rate.ts'
import { readRecordings } from '../support/wav.ts'
import type { Recording } from '../support/wav.ts'

const usage = `usage: asr-ctc FOLDER [--models vaak-hindi-base,vaak-hindi-small] [--model-dir DIR] [--workers N] [--threads N]
  FOLDER  16-bit mono WAV files at 16 kHz with transcripts.tsv (file, text)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    models: { type: 'string', default: 'vaak-hindi-base' },
    'model-dir': { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    threads: { type: 'string', default: '1' },
  },
})
const [folder] = positionals
if (folder === undefined) {
  console.error(usage)
  process.exit(2)
}

const store = openModelStore({
  cacheDir: join(tmpdir(), 'vaak-bench-models'),
  ...(values['model-dir'] !== undefined && { modelDir: values['model-dir'] }),
})
const recordings = await readRecordings(folder)
const rows = []
for (const id of values.models.split(','))
  for (const decoding of ['greedy', 'beam + LM'] as const) rows.push(await measure(id, decoding, recordings))
console.table(rows)

async function measure(id: string, decoding: 'greedy' | 'beam + LM', clips: readonly Recording[]) {
  const { files } = await store.locate(id)
  const lm = await store.locate('vaak-hindi-lm')
  const recogniser = await openCtcRecogniser({
    id,
    language: 'hi',
    workers: Number(values.workers),
    threadsEach: Number(values.threads),
    modelPath: Object.values(files).find((path) => path.endsWith('.onnx'))!,
    vocabularyPath: files['vocab.json']!,
    ...(decoding === 'beam + LM' && { lmPath: lm.files['lm.bin']! }),
  })
  const samples = clips.map((clip) => clip.samples)
  await recogniser.transcribe(samples.slice(0, 4), {})
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  const heard = await recogniser.transcribe(samples, {})
  const wallMs = performance.now() - before
  const cpu = process.cpuUsage(cpuBefore)
  await recogniser.close()
  const audioMs = samples.reduce((sum, clip) => sum + clip.length / 16, 0)
  const rates = errorRates(clips.map(({ text }, i) => ({ said: text, heard: heard[i]!.text })))
  return {
    model: id,
    decoding,
    'WER %': round(100 * rates.wordErrorRate),
    'CER %': round(100 * rates.characterErrorRate),
    '× real time': round(audioMs / wallMs),
    '× a core': round(audioMs / ((cpu.user + cpu.system) / 1000)),
    clips: clips.length,
    words: rates.words,
  }
}

function round(value: number): number {
  return Math.round(10 * value) / 10
}

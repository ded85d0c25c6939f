import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

import { openStore } from '../../../infra/speech/models/open-store.ts'
import { benchPlaces } from '../places.ts'
import { readSpeech } from '../speech.ts'
import { machine, printTable } from '../table.ts'
import type { Bench } from './bench-of-recognisers.ts'
import { batchHeat, engines, hinglishHeat, moonshine, whisperEnglish, whisperHindi } from './heats.ts'
import { whatIsALoop } from './loops.ts'
import type { Row } from './race.ts'

const parts: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  'whisper-english': whisperEnglish,
  'whisper-hindi': whisperHindi,
  moonshine,
  hinglish: hinglishHeat,
  engine: engines,
  batch: batchHeat,
}

const usage = `npm run bench -- asr [--speech FOLDER] [--rivals FOLDER] [--models DIR] [--parts ${Object.keys(parts).join(',')}]

  --speech  holds hindi/ and english/, each with 16 kHz mono WAV files and transcripts.tsv (file, text)
  --rivals  where \`npm install @huggingface/transformers sherpa-onnx-node\` was run; without it, ours beside themselves
  --models  MODEL_DIR: holds models of your own`

/** Speed and accuracy of every recogniser and of the whole engine, beside others, in one table. */
export async function asr(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      speech: { type: 'string' },
      rivals: { type: 'string' },
      models: { type: 'string', default: '' },
      parts: { type: 'string', default: Object.keys(parts).join(',') },
    },
  })
  const chosen = values.parts.split(',').map((name) => parts[name])
  if (!chosen.every((part) => part !== undefined)) throw new Error(`Usage: ${usage}`)
  const places = benchPlaces(values.models)
  const bench: Bench = {
    store: openStore(places),
    ...places,
    speech: await readSpeech(values.speech),
    rivals: values.rivals,
    cores: availableParallelism(),
  }
  const rows: Row[] = []
  for (const part of chosen) rows.push(...(await part(bench)))
  printTable(`Recognisers on the same weights, clips and cores (${machine()})`, rows)
  console.log(`
Every row of a model and its speech had the same clips, weights and ${bench.cores} cores; rows took turns.
× real time: seconds of sound in a second, the best of the runs. s a clip: how long one clip takes when it is alone.
× alike: times as fast as the reference with the cores in the same order; × best: as the reference in its faster order.
The reference is @huggingface/transformers for Whisper, the plain loop over the published merged decoder for Moonshine,
the singles of a batch, and elsewhere the first row. Same text: clips whose text is exactly that of the reference.
A loop: ${whatIsALoop}.
WER and CER: edits over the length of what was said, summed over clips; NFC, lower case, hyphens as spaces, other
punctuation and symbols removed, English titles spelt out, white space folded; characters are code points.
Not measured: @fugood/whisper.node, and sherpa-onnx-node on Whisper: both want weights in a format of their own, and we
found no package of such weights on npm or in Debian.`)
}

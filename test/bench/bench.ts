import { benchAlign } from './align.ts'
import { analysis } from './analysis.ts'
import { asr } from './asr/asr.ts'
import { benchAssemble } from './assemble.ts'
import { benchBatches } from './batches.ts'
import { benchCluster } from './cluster/cluster.ts'
import { confidence } from './confidence.ts'
import { benchConsole } from './console/console.ts'
import { cost } from './cost.ts'
import { ears } from './ears.ts'
import { benchHinglish } from './hinglish/hinglish.ts'
import { benchList } from './list.ts'
import { long } from './long.ts'
import { pipeline } from './pipeline.ts'
import { punctuation } from './punctuation/punctuation.ts'
import { benchScale } from './scale.ts'
import { speakers } from './speakers.ts'
import { interruptions } from './interruptions.ts'
import { benchTalk } from './talk.ts'
import { tts } from './tts/tts.ts'
import { realtime } from './realtime.ts'
import { turns } from './turns.ts'
import { benchUpload } from './upload.ts'
import { benchVocabulary } from './vocabulary.ts'

/** Named scenarios: `npm run bench -- NAME`. Figures are compared as ratios inside one run, because machines are noisy. */
const scenarios: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  upload: benchUpload,
  list: benchList,
  /** The endpoints, then what lies behind them. */
  async batch() {
    await benchBatches()
    await pipeline([])
  },
  batches: benchBatches,
  pipeline,
  cost,
  scale: benchScale,
  cluster: benchCluster,
  asr,
  hinglish: benchHinglish,
  confidence,
  align: benchAlign,
  analysis,
  speakers,
  assemble: benchAssemble,
  long,
  tts,
  realtime,
  talk: benchTalk,
  interruptions,
  ears,
  turns,
  punctuation,
  vocabulary: benchVocabulary,
  console: benchConsole,
}

const [name = '', ...words] = process.argv.slice(2)
const scenario = scenarios[name]
if (!scenario) {
  console.log(`Usage: npm run bench -- NAME\n\nNames: ${Object.keys(scenarios).join(', ')}`)
  process.exit(name === '' || name === '--help' ? 0 : 2)
}
await scenario(words)

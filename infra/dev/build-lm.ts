import { writeFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

import { buildLm } from '../speech/asr/ctc/lm-build.ts'

const usage = `build-lm [--order N] [--most-bytes BYTES] LM < TEXT

  LM            the language model to write
  TEXT          sentences, one a line
  --order       length of the longest n-grams in characters
  --most-bytes  the size of the file: n-grams that are missed least are left out until it fits`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { order: { type: 'string', default: '10' }, 'most-bytes': { type: 'string', default: '16000000' } },
})
const [lmPath] = positionals
if (lmPath === undefined) {
  console.error(`usage: ${usage}`)
  process.exit(2)
}

const order = Number(values.order)
const text = await textOf(process.stdin)
const lm = buildLm(text.split('\n'), { order, mostBytes: Number(values['most-bytes']) })
await writeFile(lmPath, lm)
console.log(`${lmPath}: ${lm.length} bytes from ${text.length} characters, order ${order}`)

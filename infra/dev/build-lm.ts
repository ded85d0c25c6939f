import { readFile, writeFile } from 'node:fs/promises'

import { buildLm } from '../speech/asr/ctc/lm-build.ts'

const order = 8
const [textPath, lmPath] = process.argv.slice(2)
if (textPath === undefined || lmPath === undefined) {
  console.error('usage: build-lm TEXT LM\n  TEXT  sentences, one a line\n  LM    the language model to write')
  process.exit(2)
}

const text = await readFile(textPath, 'utf8')
const lm = buildLm(text.split('\n'), { order })
await writeFile(lmPath, lm)
console.log(`${lmPath}: ${lm.length} bytes from ${text.length} characters, order ${order}`)

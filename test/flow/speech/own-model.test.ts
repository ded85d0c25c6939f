import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { englishPath as english } from '../../support/english.ts'
import { aFolder } from '../../support/folder.ts'
import { aFetchedModel } from '../../support/models.ts'
import { runVaak } from '../../support/processes.ts'

test('a Whisper export in a folder of its own hears everything when it is chosen', async (t) => {
  t.timeout(120_000) // the first run fetches models
  const modelDir = await aModelDirWith(t, 'my-whisper')
  const heardBy = async (words: readonly string[], environment: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await runVaak(
      t,
      ['transcribe', '--language', 'en', '--format', 'json', ...words, english],
      { MODEL_DIR: modelDir, ...environment },
    )
    t.is(code, 0, stderr)
    return JSON.parse(stdout) as { text: string; model: string }
  }
  const { text } = await heardBy(['--model', 'whisper-tiny'])
  t.regex(text, /clock in the hallway stopped at noon/)
  for (const heard of [
    await heardBy([], { WHISPER_MODEL: 'my-whisper' }),
    await heardBy(['--model', 'my-whisper'], { WHISPER_MODEL: 'nothing' }),
  ])
    t.like(heard, { text, model: 'my-whisper' })
  const { stdout } = await runVaak(t, ['models', 'list'], { MODEL_DIR: modelDir })
  t.regex(stdout, /^my-whisper +unchecked +\d+ MB +multilingual +- +- +MODEL_DIR +not stated$/m)
})

test('a model that is not there, or no Whisper, or no model at all, is a sentence', async (t) => {
  t.timeout(120_000)
  const modelDir = await aModelDirWith(t, 'broken')
  await writeFile(join(modelDir, 'broken', 'config.json'), '{"model_type":"bert"}')
  await aFetchedModel('silero-vad')
  for (const [id, sentence] of [
    ['nothing', /^there is no model nothing; the catalogue has whisper-tiny, .*\n$/],
    ['silero-vad', /^model silero-vad is no Whisper model; .*\n$/],
    ['broken', /: model broken: its files cannot be used as a Whisper model: config\.json: model_type: .*\n$/],
  ] as const) {
    const { code, stdout, stderr } = await runVaak(t, ['transcribe', '--language', 'en', '--model', id, english], {
      MODEL_DIR: modelDir,
    })
    t.deepEqual([code, stdout], [1, ''])
    t.regex(stderr, sentence)
  }
})

/** With the files of whisper-tiny under another name. */
async function aModelDirWith(t: ExecutionContext, id: string): Promise<string> {
  const { files } = await aFetchedModel('whisper-tiny')
  const modelDir = await aFolder(t)
  for (const [path, from] of Object.entries(files)) {
    const target = join(modelDir, id, path)
    await mkdir(dirname(target), { recursive: true })
    await cp(from, target)
  }
  return modelDir
}

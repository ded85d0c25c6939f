import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import test from 'ava'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folders = ['actors', 'gateway', 'infra', 'realtime', 'test/sim'] as const

/** As a comment or a complaint cites a rule: `(I12)`, `(T1)`, `I4: …`. */
const citation = /\((?:I|T)\d+\)|\b(?:I|T)\d+:/g

async function citedIn(folder: string): Promise<string[]> {
  const paths = (await readdir(join(root, folder), { recursive: true })).filter((path) => path.endsWith('.ts'))
  const texts = await Promise.all(paths.map((path) => readFile(join(root, folder, path), 'utf8')))
  return texts.flatMap((text) => text.match(citation) ?? []).map((cited) => cited.replaceAll(/[():]/g, ''))
}

test('every invariant and trap that the code cites is told in the README of the actors', async (t) => {
  const told = new Set(
    Array.from(
      (await readFile(join(root, 'actors/README.md'), 'utf8')).matchAll(/\*\*([IT]\d+)\b/g),
      ([, name]) => name,
    ),
  )
  const cited = new Set((await Promise.all(folders.map(citedIn))).flat())
  t.true(cited.has('I3') && cited.has('T5'), 'what cites them is not found any more')
  t.deepEqual(
    [...cited].filter((name) => !told.has(name)),
    [],
  )
})

import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { keptGraph } from '../../../infra/speech/onnx/kept-graph.ts'
import { aFolder } from '../../support/folder.ts'

interface GraphScene {
  readonly folder: string
  readonly code: string
  readonly ask: (weights?: string) => Promise<string>
  readonly made: () => number
}

/** Something that takes long to make, counted; with code of its own. */
async function aGraph(t: ExecutionContext): Promise<GraphScene> {
  const [folder, code] = [await aFolder(t), await aFolder(t)]
  await writeFile(join(code, 'rewrite.js'), 'one way')
  let made = 0
  const ask = async (weights = 'weights'): Promise<string> => {
    const graph = await keptGraph(folder, {
      name: 'graph',
      weights,
      code: [pathToFileURL(`${code}/`)],
      make: () => Promise.resolve(Buffer.from(`graph ${(made += 1)} of ${weights}`)),
    })
    t.is(typeof graph, 'string', 'it is kept')
    return String(graph)
  }
  return { folder, code, ask, made: () => made }
}

test('a graph is made once, and kept whole', async (t) => {
  const { ask, made } = await aGraph(t)
  const path = await ask()
  t.is(await readFile(path, 'utf8'), 'graph 1 of weights')
  t.is(await ask(), path)
  t.is(made(), 1)
})

test('other weights or another rewriting are another graph, which takes the place of the older one', async (t) => {
  const { folder, code, ask, made } = await aGraph(t)
  await ask()
  const other = await ask('other')
  t.is(await readFile(other, 'utf8'), 'graph 2 of other')
  await writeFile(join(code, 'rewrite.js'), 'another way')
  const again = await ask('other')
  t.is(made(), 3)
  t.deepEqual(await readdir(folder), [basename(again)])
})

test('one that was cut short is made anew', async (t) => {
  const { folder, ask, made } = await aGraph(t)
  await truncate(await ask(), 5)
  t.is(await readFile(await ask(), 'utf8'), 'graph 2 of weights')
  t.is(made(), 2)
  t.is((await readdir(folder)).length, 1)
})

test('where it cannot be kept it is used all the same', async (t) => {
  const folder = join(await aFolder(t), 'gone')
  const make = () => Promise.resolve(Buffer.from('graph'))
  const graph = await keptGraph(folder, { name: 'graph', weights: '', code: [], make })
  t.deepEqual(graph, Buffer.from('graph'))
})

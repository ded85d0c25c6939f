import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { digestOf } from '../models/digest.ts'

/** How a graph is made anew, and what decides what it will be. */
interface GraphRecipe {
  /** Whose graphs of the same name go when another is kept. */
  readonly name: string
  /** Their digest. */
  readonly weights: string
  /** Folders of the code that rewrites them: another rewriting is another graph. */
  readonly code: readonly URL[]
  readonly make: () => Promise<Uint8Array>
}

/** What it leaves on the disk: others need that more. */
const roomLeftBytes = 1024 ** 3

/**
 * A graph whose rewriting takes seconds, and several times its size in memory, is kept in this folder: its path, or the graph
 * itself where it cannot be kept. Its name has the digests of what it was made of and of its own bytes, so that one which is
 * damaged, or of another version, is made anew.
 */
export async function keptGraph(folder: string, recipe: GraphRecipe): Promise<string | Uint8Array> {
  const mark = `${recipe.name}-${await digestOfRecipe(recipe)}`
  const kept = await intactIn(folder, mark)
  if (kept !== undefined) return kept
  const graph = await recipe.make()
  return (await keep(folder, graph, { mark, name: recipe.name }).catch(() => undefined)) ?? graph
}

async function digestOfRecipe({ weights, code }: GraphRecipe): Promise<string> {
  const hash = createHash('sha256').update(weights)
  for (const folder of code.map((url) => fileURLToPath(url)))
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.js')).toSorted())
      hash.update(await readFile(join(folder, name)))
  return hash.digest('hex').slice(0, 16)
}

async function intactIn(folder: string, mark: string): Promise<string | undefined> {
  const name = (await readdir(folder).catch(() => [])).find(
    (one) => one.startsWith(`${mark}-`) && one.endsWith('.onnx'),
  )
  if (name === undefined) return undefined
  const path = join(folder, name)
  const digest = await digestOf(path, 'sha256', 'hex').catch(() => undefined)
  return name === `${mark}-${digest}.onnx` ? path : undefined
}

/** Nothing when there is no room for it. */
async function keep(
  folder: string,
  graph: Uint8Array,
  { mark, name }: { readonly mark: string; readonly name: string },
): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize - graph.length < roomLeftBytes) return undefined
  const older = (await readdir(folder)).filter((one) => one.startsWith(`${name}-`))
  const path = join(folder, `${mark}-${createHash('sha256').update(graph).digest('hex')}.onnx`)
  const draft = join(folder, `${name}-${randomUUID()}.draft`)
  try {
    const handle = await open(draft, 'wx', 0o644)
    try {
      await handle.writeFile(graph)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  for (const one of older) if (join(folder, one) !== path) await rm(join(folder, one), { force: true })
  return path
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Beside the sources, also for code that runs from .build: the page is served as it was written. */
const folder = fileURLToPath(new URL('../../../gateway/console/page/', import.meta.url))

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

export const indexName = 'index.html'
export const sharedName = 'shared.html'

export interface Asset {
  readonly contentType: string
  readonly text: string
  readonly sha256: string
}

/** All there is, by name, with its folder where it is in one: what a client sends is looked up here and reaches no path. */
export type Assets = ReadonlyMap<string, Asset>

/** Once, at the start: the page is small, and what a gateway serves does not change under it. */
export async function readAssets(): Promise<Assets> {
  const names = await readdir(folder, { recursive: true })
  const assets = names.flatMap((name) => {
    const contentType = contentTypes[extname(name)]
    return contentType === undefined ? [] : [readAsset(name, contentType)]
  })
  return new Map(await Promise.all(assets))
}

async function readAsset(name: string, contentType: string): Promise<[string, Asset]> {
  const text = await readFile(folder + name, 'utf8')
  return [name, { contentType, text, sha256: createHash('sha256').update(text).digest('base64url') }]
}

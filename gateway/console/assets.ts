import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { fontFiles } from './fonts.ts'

/** Beside the sources, also for code that runs from .build: the page is served as it was written. */
const folder = fileURLToPath(new URL('../../../gateway/console/page/', import.meta.url))
/** The same for the page of the realtime server, which listens too. */
const shared = ['microphone-worklet.js', 'base64.js'].map((name) =>
  fileURLToPath(new URL(`../../../realtime/page/${name}`, import.meta.url)),
)

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
}

export const indexName = 'index.html'
export const sharedName = 'shared.html'

export interface Asset {
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly sha256: string
}

/** All there is, by name, with its folder where it is in one: what a client sends is looked up here and reaches no path. */
export type Assets = ReadonlyMap<string, Asset>

/** Once, at the start: the page is small, and what a gateway serves does not change under it. */
export async function readAssets(): Promise<Assets> {
  const names = await readdir(folder, { recursive: true })
  const files = [
    ...names.map((name) => [name, folder + name] as const),
    ...shared.map((file) => [basename(file), file] as const),
    ...fontFiles(),
  ]
  const assets = files.flatMap(([name, file]) => {
    const contentType = contentTypes[extname(name)]
    return contentType === undefined ? [] : [readAsset(name, { file, contentType })]
  })
  return new Map(await Promise.all(assets))
}

async function readAsset(name: string, input: { file: string; contentType: string }): Promise<[string, Asset]> {
  const bytes = await readFile(input.file)
  const sha256 = createHash('sha256').update(bytes).digest('base64url')
  return [name, { contentType: input.contentType, bytes, sha256 }]
}

import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'

/**
 * Errors say where they were in our TypeScript. Node's own way reads the maps of all modules when they are loaded, a thousand
 * in most tests; this one reads a map when somebody looks at a stack, which few do.
 */
process.setSourceMapsEnabled(false)
Error.prepareStackTrace = (error, sites) =>
  [Error.prototype.toString.call(error), ...sites.map((site) => `    at ${placeOf(site)}`)].join('\n')

const maps = new Map<string, SourceMap | undefined>()

function placeOf(site: NodeJS.CallSite): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- V8 writes it as a line of a stack, which its types do not say
  const said = String(site)
  const url = site.getFileName()
  const [line, column] = [site.getLineNumber(), site.getColumnNumber()]
  if (!url?.startsWith('file:') || line === null || column === null) return said
  const entry = mapOf(url)?.findEntry(line - 1, column - 1)
  if (!entry || !('originalSource' in entry)) return said
  const source = new URL(entry.originalSource, url).href
  return said.replace(`${url}:${line}:${column}`, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`)
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url))
  return maps.get(url)
}

/** Packages bring none, or one of sources that they do not bring. */
function readMap(url: string): SourceMap | undefined {
  if (!url.includes('/.build/')) return undefined
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')))
  } catch {
    return undefined
  }
}

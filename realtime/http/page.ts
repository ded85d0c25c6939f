import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { HttpAnswer } from './answer.ts'
import { json } from './answer.ts'

/** Read as they lie in the repository: there is no build step for the page. */
const ownFolder = fileURLToPath(new URL('../../../realtime/page/', import.meta.url))
/** What the page says, and in which language, is said as the console says it. */
const consoleFolder = fileURLToPath(new URL('../../../gateway/console/page/', import.meta.url))

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
}

const own = [
  'index.html',
  'style.css',
  'page.js',
  'recording.js',
  'base64.js',
  'conversation.js',
  'latency.js',
  'state.js',
  'token.js',
  'transcript.js',
  'voices.js',
  'audio.js',
  'tools.js',
  'microphone-worklet.js',
  'speaker-worklet.js',
]
const ofConsole = [
  'element.js',
  'fonts.css',
  'format.js',
  'interface-language.js',
  'intl.js',
  'language-switch.js',
  'say.js',
  'voice-groups.js',
  ...['en', 'hi'].flatMap((code) =>
    ['', '-intake', '-pages', '-reading', '-talk'].map((part) => `words/${code}${part}.js`),
  ),
]

/** Where each file of the page is, by the name under which it is asked for. */
export type PageFiles = ReadonlyMap<string, string>

export function pageFiles(fonts: PageFiles): PageFiles {
  return new Map([
    ...own.map((name) => [name, ownFolder + name] as const),
    ...ofConsole.map((name) => [name, consoleFolder + name] as const),
    ...fonts,
  ])
}

/** Only files of the list: nothing that a client writes becomes a path. */
export async function pageFile(files: PageFiles, name: string): Promise<HttpAnswer> {
  const file = files.get(name)
  const contentType = contentTypes[extname(name)]
  if (file === undefined || contentType === undefined) return json(404, { detail: 'The page has no such file.' })
  return { status: 200, contentType, body: await readFile(file) }
}

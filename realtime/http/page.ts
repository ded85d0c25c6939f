import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { HttpAnswer } from './answer.ts'
import { json } from './answer.ts'

/** Read as they lie in the repository: there is no build step for the page. */
const folder = fileURLToPath(new URL('../../../realtime/page/', import.meta.url))

const script = 'text/javascript; charset=utf-8'
const contentTypes: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'page.js': script,
  'base64.js': script,
  'conversation.js': script,
  'latency.js': script,
  'state.js': script,
  'token.js': script,
  'transcript.js': script,
  'voices.js': script,
  'audio.js': script,
  'tools.js': script,
  'microphone-worklet.js': script,
  'speaker-worklet.js': script,
}

/** Only files of the list: nothing that a client writes becomes a path. */
export async function pageFile(name: string): Promise<HttpAnswer> {
  const contentType = Object.hasOwn(contentTypes, name) ? contentTypes[name] : undefined
  if (contentType === undefined) return json(404, { detail: 'The page has no such file.' })
  return { status: 200, contentType, body: await readFile(`${folder}${name}`) }
}

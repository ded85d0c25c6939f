import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Programs that the description of the API shows, run as they stand. */

const run = promisify(execFile)
const withinMs = 100_000

const programs = {
  curl: { program: 'bash', file: 'example.sh' },
  node: { program: process.execPath, file: 'example.mjs' },
  python: { program: 'python3', file: 'example.py' },
} as const

type ExampleLanguage = keyof typeof programs

export const shownLanguages: readonly ExampleLanguage[] = ['curl', 'node', 'python']

/** As somebody would copy it from the page. */
export function exampleIn(page: string, operation: string, language: ExampleLanguage): string {
  const section = page.split(`<section id="${operation}" `)[1] ?? ''
  const shown = new RegExp(`<pre class="in-${language}"[^>]*><code>(.*?)</code>`, 's').exec(section)?.[1] ?? ''
  return shown.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

interface ExamplePlace {
  readonly language: ExampleLanguage
  /** In which it is run: recordings that it names lie there. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Resolves with what it prints; rejects when it fails. */
export async function ranExample(example: string, { language, folder, env }: ExamplePlace): Promise<string> {
  const { program, file } = programs[language]
  await writeFile(join(folder, file), example)
  const { stdout } = await run(program, [file], { cwd: folder, env, timeout: withinMs })
  return stdout
}

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

/** The ways in which it is asked for, the usual one first. */
export function formsIn(page: string, operation: string): string[] {
  return Array.from(sectionIn(page, operation).matchAll(/data-form="(\w+)"/g), ([, form]) => form ?? '')
}

interface ShownExample {
  readonly operation: string
  readonly language: ExampleLanguage
  readonly form?: string
}

/** As somebody would copy it from the page, where they choose that form, or none. */
export function exampleIn(page: string, { operation, language, form = '' }: ShownExample): string {
  const [usual = '', chosen = ''] = sectionIn(page, operation).split(`data-form="${form}"`)
  const section = form === '' ? usual : chosen
  const shown = new RegExp(`<pre class="in-${language}"[^>]*><code>(.*?)</code>`, 's').exec(section)?.[1] ?? ''
  return shown.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function sectionIn(page: string, operation: string): string {
  return page.split(`<section id="${operation}" `)[1]?.split('</section>')[0] ?? ''
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

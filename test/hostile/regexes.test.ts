import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import test from 'ava'

import { oddTexts } from '../fuzz/odd-values.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folders = ['actors', 'gateway', 'infra', 'realtime']
/** A slash where no number or name can be before it, up to the next that stands neither in a class nor behind a backslash. */
const literal = /(?<=(?:[=(,:!&|?[{;]|return)\s*)\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g

interface Found {
  readonly where: string
  readonly pattern: RegExp
}

function regexes(): Found[] {
  const files = folders.flatMap((folder) => {
    try {
      return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
    } catch {
      return [] // not every folder is there yet
    }
  })
  return files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((where) => {
      const text = readFileSync(join(root, where), 'utf8')
      return Array.from(text.matchAll(literal), ([, source = '', flags = '']) => patternOf(where, source, flags))
    })
    .filter((found) => found !== undefined)
}

/** Undefined for what only looks like one, such as two divisions in a line. */
function patternOf(where: string, source: string, flags: string): Found | undefined {
  try {
    return { where: `${where}: /${source}/${flags}`, pattern: new RegExp(source, flags) }
  } catch {
    return undefined
  }
}

/** Long enough for what grows with the third power or worse to be seen at once. */
const length = 1_000
/** Of the processor: how long a text took on the clock says more about the machine. */
const budgetMs = 100

/** Long runs of what patterns are made of, each ended so that a match must fail at the last moment. */
function corpus(): string[] {
  const runs = ['a', ' ', '0', '.', '/', '-', '"', '\\"', '%', '=', ';', ',', '\n', '\r\n', 'a ', 'a.', 'a/', '0-', '../', 'a=b;', '[', '{', '\u0905', '\uD800', '\0', 'bearer '] // prettier-ignore
  return [
    ...runs.flatMap((run) => [run.repeat(length / run.length), `${run.repeat(length / run.length)}!`]),
    ...oddTexts.map((text) => `${text.repeat(50).slice(0, length)}\u0001`),
  ]
}

test('no pattern takes long for any text, however it was made to', (t) => {
  const found = regexes()
  t.true(found.length > 100, `only ${found.length} were found`)
  const texts = corpus()
  const slow = found.flatMap(({ where, pattern }) =>
    texts.flatMap((text) => {
      const before = process.cpuUsage()
      pattern.lastIndex = 0
      pattern.test(text)
      const { user, system } = process.cpuUsage(before)
      const tookMs = (user + system) / 1_000
      return tookMs > budgetMs
        ? [`${where} took ${Math.round(tookMs)} ms for ${JSON.stringify(text.slice(0, 10))}…`]
        : []
    }),
  )
  t.deepEqual(slow, [])
})

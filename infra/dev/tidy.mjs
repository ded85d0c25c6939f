// What a reader should not have to untangle: files that import each other in a circle, types included, exports that nobody
// imports, and one name for two things. It runs in `npm run verify`.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Read by others than our own code: the typed client is a package of its own. */
const publicFiles = /^infra\/client\//
/** What every room has on purpose, so that who knows one room knows the others. */
const sharedNames = new Set(['decide', 'classify'])
const importPattern = /(?:^|\n)(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"](\.[^'"]+)['"]/g
const exportPattern = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
const texts = new Map(files.flatMap(textOf))
const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]))

const complaints = [...circles(), ...unusedExports(), ...namesGivenTwice()]
for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0) process.exit(1)

function textOf(file) {
  try {
    return [[file, readFileSync(file, 'utf8')]]
  } catch {
    return [] // removed in the working tree, not yet in the index
  }
}

function importsOf(file, text) {
  return Array.from(text.matchAll(importPattern), ([, path]) => normalize(join(dirname(file), path)))
}

/** Each circle once, as the way round it from its first file. */
function circles() {
  const done = new Set()
  const found = []
  const visit = (file, way) => {
    if (way.includes(file)) return void found.push(`a circle: ${[...way.slice(way.indexOf(file)), file].join(' → ')}`)
    if (done.has(file)) return undefined
    for (const next of imports.get(file) ?? []) visit(next, [...way, file])
    return done.add(file)
  }
  for (const file of texts.keys()) visit(file, [])
  return found
}

function unusedExports() {
  const words = new Map([...texts].map(([file, text]) => [file, new Set(text.match(/\w+/g))]))
  return [...texts].flatMap(([file, text]) => {
    if (publicFiles.test(file)) return []
    return Array.from(text.matchAll(exportPattern), ([, name]) => name)
      .filter((name) => ![...words].some(([other, known]) => other !== file && known.has(name)))
      .map((name) => `${file}: nobody imports ${name}`)
  })
}

function namesGivenTwice() {
  const homes = new Map()
  for (const [file, text] of texts) {
    if (publicFiles.test(file)) continue
    for (const [, name] of text.matchAll(exportPattern)) homes.set(name, [...(homes.get(name) ?? []), file])
  }
  return [...homes]
    .filter(([name, exporters]) => exporters.length > 1 && !sharedNames.has(name))
    .map(
      ([name, exporters]) => `${name} is exported by ${exporters.join(' and ')}: one of them needs a name of its own`,
    )
}

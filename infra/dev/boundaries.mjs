// Who may import whom. Data flows one way, and this script is what keeps it so: it runs in `npm run verify`.
import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join, normalize } from 'node:path'

const compositionRoot = /^(?:[a-z]+\/main\.ts|infra\/up\.ts|infra\/(?:cli|dev)\/.*)$/
const vocabulary =
  /^actors\/(?:ids|failure|identity|decision|ports|services|fault-points|bitset|source\/(?:url|address)|conversation\/ports|sound\/[a-z0-9-]+)\.ts$/
const saidOrKnown = /^actors\/[a-z-]+\/(?:protocol|state)\.ts$/
const pure = /^actors\/(?:.*\/)?(?:decide|plan|assemble|bitset|retry|state|ids|url|address)\.ts$/

/** The first rule whose `from` matches decides; a path that no `to` matches is a violation. */
const rules = [
  { from: /^test\//, to: [/./] },
  { from: compositionRoot, to: [/^(?!test\/)/] },
  { from: /^actors\//, to: [/^actors\//] },
  { from: /^gateway\//, to: [/^gateway\//, vocabulary, saidOrKnown] },
  { from: /^realtime\//, to: [/^realtime\//, vocabulary] },
  { from: /^infra\//, to: [/^infra\/(?!cli\/|dev\/)/, vocabulary, saidOrKnown] },
]
const packagesOfActors = /^(?:nact|node:)/

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
const complaints = files.flatMap((file) => importsOf(file).flatMap((specifier) => complain(file, specifier)))

for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0) process.exit(1)

function importsOf(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return [] // removed in the working tree, not yet in the index
  }
  return Array.from(
    text.matchAll(/(?:^|\n)(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]/g),
    (match) => match[1],
  )
}

function complain(file, specifier) {
  if (!specifier.startsWith('.')) {
    if (pure.test(file)) return [`${file}: a pure file imports no package, but this one imports ${specifier}`]
    if (file.startsWith('actors/') && !compositionRoot.test(file) && !packagesOfActors.test(specifier))
      return [`${file}: the domain knows nact and node types only, not ${specifier}`]
    return []
  }
  const target = normalize(join(dirname(file), specifier))
  const rule = rules.find(({ from }) => from.test(file))
  if (!rule || rule.to.some((pattern) => pattern.test(target))) return []
  return [`${file}: may not import ${target}`]
}

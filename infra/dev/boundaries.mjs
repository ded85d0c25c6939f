// Who may import whom. Data flows one way, and this script is what keeps it so: it runs in `npm run verify`.
import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join, normalize } from 'node:path'

const compositionRoot = /^(?:[a-z]+\/main(?:-[a-z]+)?\.ts|infra\/(?:up|cli|dev)\/.*)$/
/** Words of the domain that everybody may use. */
const vocabulary =
  /^actors\/(?:(?:ids|failure|form|identity|decision|ports|services|fault-points|bitset|place-count|bucket|recent-use|fair-row|stored-json|whole-bytes|secret-headers)|[a-z-]+\/ports)\.ts$/
const saidOrKnown = /^actors\/[a-z-]+\/(?:protocol|state)\.ts$/
/** What of the domain works for anybody: turns, retries and the one order of a commit. */
const domainTools = /^actors\/(?:durable-actor|last-seen|mailboxes|fold-per-key|sights|attempt\/[a-z-]+)\.ts$/
/** Arithmetic on samples: it knows no file and no model. */
const signal = /^infra\/speech\/audio\/signal\//
const pure =
  /^(?:actors\/(?:.*\/)?(?:decide|plan|pages|bitset|retry|state|ids)\.ts|infra\/remote\/url\.ts|realtime\/session\/(?:state|decide|protocol|decisions\/[a-z-]+|items\/(?:items|spoken|conversation))\.ts)$/

/** Rooms of the domain that use another's doings; what may be said and known is open to all of them. */
const actorRooms = {
  purge: [
    'batch/(?:expiries|queued|quota|waiting|withdrawn)',
    'run/',
    'upload/',
    'inquiry/batch-questions',
    'vocabulary/batch-words',
  ],
  retention: ['batch/queued', 'run/remove-objects', 'sweep/lease'],
  sweep: ['batch/', 'webhook/queue'],
  edit: ['run/passages'],
  upload: ['purge/'],
  batch: ['webhook/queue', 'inquiry/batch-questions', 'vocabulary/batch-words'],
  worker: ['batch/', 'chunk/', 'inquiry/(?:sweep|submitted)', 'retention/', 'run/', 'sweep/', 'upload/', 'webhook/'],
}

/** Of a realtime session: what may be said to it and what it knows, open to all of its rooms. It does nothing. */
const sessionWords =
  /^realtime\/session\/(?:protocol|state|ports|limits|audio-clip|settings\/settings|items\/(?:items|spoken|conversation))\.ts$/
/** How events look, and why they are refused. */
const wire = /^realtime\/wire\//
/** Rooms of a session, and what each uses besides those words; what runs effects, at the top, uses all of them. */
const sessionRooms = {
  '(?:state|decide|protocol|decisions/[a-z-]+)\\.ts$': [
    /^realtime\/session\/decisions\//,
    /^realtime\/wire\/[a-z]+-events\.ts$/,
  ],
  'input/': [/^realtime\/session\/input\//, /^realtime\/wire\/item-schema\.ts$/, signal],
  'output/': [/^realtime\/session\/output\//, signal],
  'items/': [/^realtime\/session\/items\//],
  'settings/': [/^realtime\/session\/settings\//, wire],
}

/** Rooms of infra/ by floor: each may use those below it. */
const infraFloors = [
  ['timing', 'process', 'telemetry', 'ids', 'client', 'llm', 'mcp', 'receipt', 'samples', 'web'],
  ['blobs', 'spool', 'speech/(?:audio|onnx|threads|text|models)'],
  ['speech/(?:vad|align|asr|analysis|punctuation|transcript|redaction|formats|evaluate|tts|vocabulary)'],
  ['remote', 'agent'],
  ['config'],
  ['nats/connection'],
  ['nats/topology'],
  ['nats/backup'],
  ['nats/records'],
  ['nats/queue'],
  ['nats/reports', 'nats/audit'],
  ['nats-server', 'identity', 'webhook', 'health', 'speech/engine'],
  ['speech/work'],
  ['speech/scripted'],
]

/** The first rule whose `from` matches decides; a path that no `to` matches is a violation. */
const rules = [
  { from: /^test\//, to: [/./] },
  { from: compositionRoot, to: [/^(?!test\/)/] },
  ...actorRules(),
  { from: /^gateway\//, to: [/^gateway\//, vocabulary, saidOrKnown, signal] },
  ...realtimeRules(),
  ...infraRules(),
]
const packagesOfActors = /^(?:nact|node:)/

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
const complaints = files.flatMap((file) => importsOf(file).flatMap((specifier) => complain(file, specifier)))

for (const complaint of complaints) console.error(complaint)
if (complaints.length > 0) process.exit(1)

function actorRules() {
  const open = [vocabulary, saidOrKnown, domainTools]
  const rooms = Object.entries(actorRooms).map(([room, others]) => ({
    from: new RegExp(`^actors/${room}/`),
    to: [...open, new RegExp(`^actors/(?:${[`${room}/`, ...others].join('|')})`)],
  }))
  const other = /^actors\/([a-z-]+)\//
  return [
    ...rooms,
    { from: other, to: (file) => [...open, new RegExp(`^actors/${other.exec(file)[1]}/`)] },
    { from: /^actors\//, to: [...open, saidOrKnown, /^actors\/batch\/estimate/] },
  ]
}

function realtimeRules() {
  const open = [sessionWords, vocabulary, /^realtime\/wire\/refusal\.ts$/]
  return [
    ...Object.entries(sessionRooms).map(([room, others]) => ({
      from: new RegExp(`^realtime/session/${room}`),
      to: [...open, ...others],
    })),
    { from: wire, to: [...open, wire] },
    { from: /^realtime\//, to: [/^realtime\//, vocabulary, signal] },
  ]
}

function infraRules() {
  const below = []
  return infraFloors.map((floor) => {
    below.push(...floor)
    return {
      from: new RegExp(`^infra/(?:${floor.join('|')})/`),
      to: [new RegExp(`^infra/(?:${below.join('|')})/`), vocabulary, saidOrKnown, domainTools],
    }
  })
}

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
  if (!rule) return [`${file}: stands in no room that infra/dev/boundaries.mjs knows`]
  const allowed = typeof rule.to === 'function' ? rule.to(file) : rule.to
  if (allowed.some((pattern) => pattern.test(target))) return []
  return [`${file}: may not import ${target}`]
}

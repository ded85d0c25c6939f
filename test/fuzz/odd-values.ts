import type { Random } from '../sim/random.ts'

/** What programs that were written for other input stumble over. */
export const oddTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\r\nX-Injected: yes',
  '\u001B[31mred',
  '../../etc/passwd',
  '..\\..\\boot.ini',
  '/',
  '*',
  '>',
  'a.b',
  '$JS.API.STREAM.DELETE.KV_vaak_files',
  '$KV.vaak_files.>',
  '_INBOX.x',
  'नमस्ते',
  '🎤',
  '\uD800',
  '\u202Egnp.wav',
  '\u2028',
  'ﷺ'.repeat(50),
  'x'.repeat(300),
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '%00',
  '%2e%2e%2f',
  "' OR 1=1 --",
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '00000000-0000-0000-0000-000000000000',
  '01900000-0000-7000-8000-00000000000G',
]

const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [[]],
  { __proto__: null },
  { toString: 1, length: -1 },
  Array.from({ length: 1_100 }, () => 'x'),
]

export const oddNumbers: readonly string[] = [
  '0',
  '-1',
  '+1',
  '1e3',
  '1.0',
  '0x1',
  ' 1',
  '٣',
  '1000000',
  '1000001',
  '201',
  '99999999999999999999',
  'NaN',
  'Infinity',
]

function oddValue(random: Random): unknown {
  if (random.chance(0.5)) return random.pick(oddTexts)
  return random.chance(0.1) ? nested(random.between(50, 1_500)) : random.pick(oddValues)
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

export function someBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}

/** One place in a value is taken away, doubled, renamed or replaced. */
export function damagedJson(value: unknown, random: Random): unknown {
  if (random.chance(0.15) || typeof value !== 'object' || value === null) return oddValue(random)
  if (Array.isArray(value)) return damagedArray(value, random)
  const entries = Object.entries(value)
  if (entries.length === 0 || random.chance(0.2)) return Object.fromEntries([...entries, unknownField(random)])
  const at = random.below(entries.length)
  const [name, inner] = entries[at]!
  const luck = random.next()
  if (luck < 0.1) entries.splice(at, 1)
  else if (luck < 0.2) entries[at] = [random.pick(oddTexts), inner]
  else entries[at] = [name, damagedJson(inner, random)]
  return Object.fromEntries(entries)
}

function unknownField(random: Random): [string, unknown] {
  const names = ['status', 'user_id', 'owner', 'total', 'quota', 'gcs_key', '__proto__', 'prototype']
  return [random.pick(names), oddValue(random)]
}

function damagedArray(values: readonly unknown[], random: Random): unknown[] {
  if (values.length === 0 || random.chance(0.2)) return [...values, oddValue(random)]
  const at = random.below(values.length)
  if (random.chance(0.2)) return values.filter((_, index) => index !== at)
  if (random.chance(0.2)) return [...values, values[at]]
  return values.map((value, index) => (index === at ? damagedJson(value, random) : value))
}

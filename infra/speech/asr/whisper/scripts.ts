import type { Tokenizer } from './tokenizer.ts'

/**
 * Which letters a language may come out in. Whisper confuses languages that audio alike and are written apart (Hindi
 * comes out in Arabic letters as Urdu); a token of a script that the language does not use is never offered.
 */
export function scriptsOf(language: string): readonly string[] {
  return [...(scripts.get(language) ?? []), 'Latin']
}

/** One byte a token: 1 where the token holds, or can only begin, a letter of another script. */
export function foreignTokens(tokenizer: Tokenizer, allowed: readonly string[]): Uint8Array {
  const permitted = permittedPattern(allowed)
  const mask = new Uint8Array(tokenizer.size)
  for (let id = 0; id < tokenizer.firstMark; id++) mask[id] = holdsForeign(tokenizer.bytesOf(id), permitted) ? 1 : 0
  return mask
}

/** For text that got past the tokens: a letter can be put together from bytes that each look innocent. */
export function hasForeignLetters(text: string, allowed: readonly string[]): boolean {
  const permitted = permittedPattern(allowed)
  return Array.from(text).some((letter) => letter !== '\ufffd' && !permitted.test(letter))
}

const scripts = new Map<string, readonly string[]>(
  Object.entries({
    Arabic: ['ar', 'fa', 'ur', 'ps', 'sd'],
    Devanagari: ['hi', 'mr', 'ne', 'sa'],
    Bengali: ['bn', 'as'],
    Cyrillic: ['ru', 'uk', 'be', 'bg', 'mk', 'kk', 'mn', 'tg', 'tt', 'ba', 'sr', 'bs', 'uz', 'az', 'tk'],
    Gurmukhi: ['pa'],
    Gujarati: ['gu'],
    Tamil: ['ta'],
    Telugu: ['te'],
    Kannada: ['kn'],
    Malayalam: ['ml'],
    Sinhala: ['si'],
    Thai: ['th'],
    Lao: ['lo'],
    Myanmar: ['my'],
    Khmer: ['km'],
    Tibetan: ['bo'],
    Georgian: ['ka'],
    Armenian: ['hy'],
    Greek: ['el'],
    Hebrew: ['he', 'yi'],
    Ethiopic: ['am'],
    Hangul: ['ko'],
    Hiragana: ['ja'],
    Katakana: ['ja'],
    Han: ['zh', 'yue', 'ja', 'ko'],
  })
    .flatMap(([script, languages]) => languages.map((language) => [language, script] as const))
    .reduce((map, [language, script]) => map.set(language, [...(map.get(language) ?? []), script]), new Map()),
)

const patterns = new Map<string, RegExp>()

function permittedPattern(allowed: readonly string[]): RegExp {
  const names = ['Common', 'Inherited', ...allowed]
  const source = `^[${names.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]$`
  const known = patterns.get(source)
  if (known) return known
  const pattern = new RegExp(source, 'u')
  patterns.set(source, pattern)
  return pattern
}

/** A token may begin inside a character and end inside one: the first is not judged, the last by what it may become. */
function holdsForeign(bytes: Uint8Array, permitted: RegExp): boolean {
  let at = 0
  while (at < bytes.length && isContinuation(bytes[at]!)) at++
  while (at < bytes.length) {
    const length = lengthOfCharacter(bytes[at]!)
    const [lowest, highest] = codePoints(bytes.subarray(at, at + length), length)
    if (lowest === highest) {
      if (!permitted.test(String.fromCodePoint(lowest))) return true
    } else if (onlyForeign({ lowest, highest }, permitted)) return true
    at += length
  }
  return false
}

/** The lead byte of four alone may become an emoji as well as a letter: it decides nothing. */
const largestJudgedRange = 4096

/** Foreign for certain: it can become a letter of another script, and no letter of a permitted one. */
function onlyForeign({ lowest, highest }: { lowest: number; highest: number }, permitted: RegExp): boolean {
  if (highest - lowest >= largestJudgedRange) return false
  let foreign = false
  for (let code = lowest; code <= highest; code++) {
    const character = String.fromCodePoint(code)
    if (!/\p{L}/u.test(character)) continue
    if (permitted.test(character)) return false
    foreign = true
  }
  return foreign
}

function codePoints(bytes: Uint8Array, length: number): [number, number] {
  let code = length === 1 ? bytes[0]! : bytes[0]! & (0x7f >> length)
  for (let i = 1; i < bytes.length; i++) code = (code << 6) | (bytes[i]! & 0x3f)
  const missing = 6 * (length - bytes.length)
  const lowest = code << missing
  return [Math.min(lowest, lastCodePoint), Math.min(lowest + 2 ** missing - 1, lastCodePoint)]
}

const lastCodePoint = 0x10ffff

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

function lengthOfCharacter(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

import type { AgentLanguage } from './language.ts'
import { say } from './phrases.ts'
import { wordsOfName } from './words.ts'

const spokenMax = 400
const factsMax = 8

/** What a tool gave back, as a person would say it: no braces, no quotes, not everything. */
export function speakResult(output: string, language: AgentLanguage): string {
  const value = parse(output)
  const trouble = troubleIn(value)
  if (trouble !== undefined) return say('failed', language, { text: shorten(trouble) })
  return say('result', language, { text: shorten(sayValue(value)) })
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return output
  }
}

function troubleIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value) || !value.error) return undefined
  return sayValue(value.error)
}

function sayValue(value: unknown): string {
  if (typeof value === 'string') return value.trim().replace(/(?<![.।])[.।]+$/, '')
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.slice(0, factsMax).map(sayValue).join(', ')
  return Object.entries(value)
    .slice(0, factsMax)
    .map(([name, of]) => `${wordsOfName(name).join(' ')} ${sayValue(of)}`)
    .join(', ')
}

function shorten(text: string): string {
  return text.length <= spokenMax ? text : `${text.slice(0, spokenMax)}…`
}

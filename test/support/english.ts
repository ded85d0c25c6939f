import { dirname, join } from 'node:path'

import { bundledModels } from '../../infra/speech/models/bundled.ts'
import type { Recording } from './wav.ts'
import { readRecordings } from './wav.ts'

/** One English sentence, which small models hear right. */
export async function englishFixture(): Promise<Recording> {
  const checkout = dirname(dirname(dirname(bundledModels())))
  const [recording] = await readRecordings(join(checkout, 'test', 'fixtures', 'speech', 'english'))
  return recording!
}

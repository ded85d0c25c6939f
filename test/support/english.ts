import { inCheckout } from './checkout.ts'
import type { Recording } from './wav.ts'
import { readRecordings } from './wav.ts'

/** One English sentence, which small models hear right. */
export async function englishFixture(): Promise<Recording> {
  const [recording] = await readRecordings(inCheckout('test', 'fixtures', 'speech', 'english'))
  return recording!
}

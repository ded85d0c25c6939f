import { z } from 'zod'

import { unlessComplained } from '../complaint.ts'

/** Small facts beside a batch or a file, such as the number of a ticket: what is larger has a place of its own, and its address here. */
const metadataMaxBytes = 2048
/** On all levels together. */
const metadataMaxKeys = 50
const metadataMaxDepth = 4

export const metadataShown = z
  .record(z.string(), z.unknown())
  .meta({ id: 'Metadata', examples: [{ ticket: 'A-17', agent: { team: 'returns' } }] })

export const metadata = unlessComplained(complaintOf, metadataShown)

export const metadataAbout = `Yours to choose: at most ${metadataMaxBytes} bytes of JSON, ${metadataMaxKeys} names and ${metadataMaxDepth} levels`

/** Never what was in it, which may be anybody’s secret. */
function complaintOf(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'expected an object'
  const sizeBytes = Buffer.byteLength(JSON.stringify(given))
  if (sizeBytes > metadataMaxBytes) return `has ${sizeBytes} bytes as JSON, and the limit is ${metadataMaxBytes}`
  let keys = 0
  let level: readonly object[] = [given]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > metadataMaxDepth) return `is nested deeper than ${metadataMaxDepth} levels`
    keys += level.reduce((sum, one) => sum + (Array.isArray(one) ? 0 : Object.keys(one).length), 0)
    if (keys > metadataMaxKeys) return `has more than ${metadataMaxKeys} names, which is the limit`
    if (level.some((one) => Object.hasOwn(one, '__proto__'))) return 'has a field "__proto__", which is not kept'
    const values = level.flatMap((one) => Object.values(one) as unknown[])
    if (values.includes(Infinity) || values.includes(-Infinity)) return 'has a number that is too large to be kept'
    level = values.filter((value) => typeof value === 'object' && value !== null)
  }
  return undefined
}

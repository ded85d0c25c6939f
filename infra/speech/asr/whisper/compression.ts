import { deflateSync } from 'node:zlib'

/** How many times smaller the text becomes: ordinary speech about 1 to 2, a loop far more. Level 6, as the reference. */
export function compressionRatio(text: string): number {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length === 0) return 0
  return bytes.length / deflateSync(bytes, { level: 6 }).length
}

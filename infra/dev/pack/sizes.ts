import type { PackedFile } from './packed-file.ts'

/** The first that matches has the file. */
const parts: readonly (readonly [name: string, paths: RegExp])[] = [
  ['decoding (FFmpeg)', /^infra\/speech\/audio\/ffmpeg\//],
  ['speech models', /^infra\/speech\/models\//],
  ['inference (onnxruntime)', /^node_modules\/onnxruntime-/],
  ['sockets (uWebSockets)', /^node_modules\/uWebSockets\.js\//],
  ['voices (espeak-ng)', /^node_modules\/@echogarden\//],
  ['all other packages', /^node_modules\//],
  ['Vaak itself', /^/],
]

/** What an installation takes on disk, and which of its parts takes how much. */
export function sizesOf(contents: readonly PackedFile[]): string {
  const sums = new Map(parts.map(([name]) => [name, 0]))
  for (const { path, sizeBytes } of contents) {
    const name = parts.find(([, paths]) => paths.test(path))?.[0] ?? ''
    sums.set(name, (sums.get(name) ?? 0) + sizeBytes)
  }
  const rows = [...sums].map(([name, bytes]) => `  ${name.padEnd(26)} ${megabytes(bytes).padStart(6)} MB`)
  return `Installed: ${megabytes(installedBytes(contents))} MB\n${rows.join('\n')}\n`
}

export function installedBytes(contents: readonly PackedFile[]): number {
  return contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

export function kilobytes(bytes: number): string {
  return (bytes / 1e3).toFixed(0)
}

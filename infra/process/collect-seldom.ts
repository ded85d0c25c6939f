import { setFlagsFromString } from 'node:v8'

/** By how much the heap of a process or thread may grow between two collections, of what was alive after the first. */
const growthPercent = 200

/**
 * For a process through which much sound passes and that keeps little: sound lies outside of a heap of 25 MB but counts against its limit,
 * so that all of it was gone through 18 times in ten seconds of short clips, and a tenth of the processor time went there. It is once or
 * twice now, and a worker takes 20 to 40 MB more.
 */
export function collectSeldom(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}

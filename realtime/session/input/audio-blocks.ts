/** Samples in a block: 170 ms at 24 kHz. */
export const blockSamples = 4_096
/** 32 MB; what is freed beyond that goes back to the collector. */
const keptMax = 4_096

const free: Int16Array[] = []

/**
 * Memory for audio that waits, shared by the sessions of the process: buffers that grow and shrink with every turn would
 * have the collector run twice a second. A block still holds what somebody else wrote on it.
 */
export function takeBlock(): Int16Array {
  return free.pop() ?? new Int16Array(blockSamples)
}

export function giveBlock(block: Int16Array): void {
  if (free.length < keptMax) free.push(block)
}

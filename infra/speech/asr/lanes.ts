import { stat } from 'node:fs/promises'
import { totalmem } from 'node:os'

/** Copies of a model that hear side by side, and the threads of each. */
interface RecogniserLanes {
  readonly lanes: number
  readonly threads: number
}

/** What a lane of Whisper was seen to take: 345, 522 and 1094 MB for models of 44, 77 and 249 MB. */
const laneBytes = 250e6
const laneBytesPerModelByte = 3.5
/** The rest is for everything else. */
const shareOfMemory = 0.5

/** One lane a core does most, as long as the copies find room; else fewer lanes with more threads. */
export function whisperLanes(input: { modelBytes: number; cores: number; memoryBytes: number }): RecogniserLanes {
  const room = (input.memoryBytes * shareOfMemory) / (laneBytes + laneBytesPerModelByte * input.modelBytes)
  const lanes = Math.max(1, Math.min(input.cores, Math.floor(room)))
  return { lanes, threads: Math.max(1, Math.floor(input.cores / lanes)) }
}

/** What this process may use: a container may have less than its machine. */
export function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}

export async function bytesOfFiles(paths: readonly string[]): Promise<number> {
  const facts = await Promise.all(paths.map((path) => stat(path)))
  return facts.reduce((sum, { size }) => sum + size, 0)
}

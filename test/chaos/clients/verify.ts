import type { History } from '../history.ts'
import type { PromisedFile, ShownFile } from './ledger.ts'
import type { ExpectedChunk } from './recordings.ts'

/** Holds a finished file, read with its chunks, against what its recording says. */
export function verify(history: History, file: PromisedFile, shown: ShownFile): void {
  const complain = (sentence: string): void => history.complain('words', `${shown.file_id}: ${sentence}`)
  const { recording } = file
  if (shown.status !== recording.outcome) {
    const errors = JSON.stringify(shown.errors ?? []).slice(0, 300)
    return complain(`it is ${shown.status} and should be ${recording.outcome}; ${errors}`)
  }
  const chunks: readonly ShownChunk[] = shown.chunk_results ?? []
  if (chunks.length !== recording.chunks.length)
    return complain(`it has ${chunks.length} chunks and should have ${recording.chunks.length}`)
  for (const [index, expected] of recording.chunks.entries()) {
    const problem = problemOf(chunks[index]!, { ...expected, index })
    if (problem !== undefined) complain(`chunk ${index} ${problem}`)
  }
  if (recording.outcome === 'failed') return
  const said = chunks.flatMap(({ text }) => (text === undefined ? [] : [text])).join(' ')
  if (shown.result?.text !== said)
    complain(`it says ${JSON.stringify(shown.result?.text)}, its chunks ${JSON.stringify(said)}`)
  const gaps = (shown.result?.gaps ?? []).map((gap: { chunk_index: number }) => gap.chunk_index)
  const expectedGaps = recording.chunks.flatMap(({ fails }, index) => (fails ? [index] : []))
  if (JSON.stringify(gaps) !== JSON.stringify(expectedGaps))
    complain(`its gaps are ${JSON.stringify(gaps)} and should be ${JSON.stringify(expectedGaps)}`)
}

interface ShownChunk {
  readonly chunk_index: number
  readonly status: string
  readonly text?: string
}

function problemOf(chunk: ShownChunk, expected: ExpectedChunk & { index: number }): string | undefined {
  if (chunk.chunk_index !== expected.index) return `is called ${chunk.chunk_index}`
  const status = expected.fails ? 'failed' : 'completed'
  if (chunk.status !== status) return `is ${chunk.status} and should be ${status}`
  if (expected.fails) return undefined
  const isRight = expected.varies
    ? new RegExp(`^${expected.text} \\d+$`).test(chunk.text ?? '')
    : chunk.text === expected.text
  return isRight ? undefined : `says ${JSON.stringify(chunk.text)} and should say ${JSON.stringify(expected.text)}`
}

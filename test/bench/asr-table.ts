import { characterErrorRate, normalisation, wordErrorRate } from './asr-score.ts'
import type { Heard } from './asr-score.ts'

/** One way to recognise, over all clips of a run. */
export interface Row {
  readonly name: string
  readonly heard: readonly Heard[]
  readonly elapsedMs: number
  /** Time on all cores: what the clock says depends on what else the machine does, this hardly. */
  readonly cpuMs: number
  /** Share of clips whose text is that of the reference; undefined for what is not compared. */
  readonly same?: number
  readonly note?: string
}

const columns = ['recogniser', '× real time', '× first row', 'CPU s', 'WER %', 'CER %', 'same text %', 'note'] as const

export function printTable(title: string, rows: readonly Row[]): void {
  const [first] = rows
  const lines = rows.map((row) => [
    row.name,
    (seconds(row) / (row.elapsedMs / 1000)).toFixed(2),
    first ? (first.elapsedMs / row.elapsedMs).toFixed(2) : '',
    (row.cpuMs / 1000).toFixed(1),
    (100 * wordErrorRate(row.heard)).toFixed(1),
    (100 * characterErrorRate(row.heard)).toFixed(1),
    row.same === undefined ? '' : (100 * row.same).toFixed(0),
    row.note ?? '',
  ])
  const widths = columns.map((column, at) => Math.max(column.length, ...lines.map((line) => line[at]!.length)))
  const format = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 || at === 7 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ')
  console.log(`\n${title}\nnormalisation: ${normalisation}\n`)
  for (const line of [columns, widths.map((width) => '-'.repeat(width)), ...lines]) console.log(format(line))
}

export function sameShare(heard: readonly Heard[], reference: readonly Heard[]): number {
  const same = heard.filter(({ text }, at) => text.trim() === reference[at]?.text.trim())
  return same.length / Math.max(1, heard.length)
}

/** Wall clock and time on all cores so far, of this process and its threads. */
export function stopwatch(): () => { elapsedMs: number; cpuMs: number } {
  const from = performance.now()
  const cpu = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    return { elapsedMs: performance.now() - from, cpuMs: (user + system) / 1000 }
  }
}

function seconds({ heard }: Row): number {
  return heard.reduce((sum, { recording }) => sum + recording.samples.length / 16_000, 0)
}

import { cpus } from 'node:os'

/** Rows of figures as a Markdown table, so that what a run prints can be pasted into infra/docs/measurements.md. */
export function printTable(title: string, rows: readonly Readonly<Record<string, string | number>>[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  console.log(`\n${title}\n`)
  console.log(line(columns))
  console.log(line(columns.map(() => '---')))
  for (const row of rows) console.log(line(columns.map((column) => row[column] ?? '')))
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export function machine(): string {
  const { arch, version } = process
  const cores = cpus()
  return `${cores.length} cores, ${cores[0]?.model ?? arch}, Node ${version}, ${new Date().toISOString().slice(0, 10)}`
}

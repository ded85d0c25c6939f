import type { BatchCommand } from '../../../actors/batch/protocol.ts'
import { runKey } from '../../../actors/ids.ts'
import type { BatchId, RunRef, Owner } from '../../../actors/ids.ts'
import type { RunCommand } from '../../../actors/run/protocol.ts'
import type { Report } from './report-schema.ts'

/** What several reports tell one record, in the order in which they came. */
export type ReportGroup =
  | { readonly to: 'file'; readonly ref: RunRef; readonly commands: readonly RunCommand[] }
  | {
      readonly to: 'batch'
      readonly owner: Owner
      readonly batchId: BatchId
      readonly commands: readonly BatchCommand[]
    }

/** Of the record that it is about. */
export function keyOf(report: Report): string {
  return report.to === 'file' ? `file ${runKey(report.ref)}` : `batch ${report.batchId}`
}

/** All of them about the same record. */
export function groupOf(reports: readonly [Report, ...Report[]]): ReportGroup {
  const [first] = reports
  if (first.to === 'file')
    return { to: 'file', ref: first.ref, commands: reports.flatMap((one) => (one.to === 'file' ? [one.command] : [])) }
  const { owner, batchId } = first
  return { to: 'batch', owner, batchId, commands: reports.flatMap((one) => (one.to === 'batch' ? [one.command] : [])) }
}

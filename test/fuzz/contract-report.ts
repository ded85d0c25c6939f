import type { ContractFailure, ContractReport, ContractRun } from './contract.ts'

export function contractText(run: ContractRun, report: ContractReport): string {
  const { sent, seconds, memoryMb, failures } = report
  return [
    ...failures.map((failure) => failureText(run, failure)),
    `${sent} requests, seed ${run.seed}, ${failures.length} failures, ${seconds.toFixed(0)} s`,
    `answers: ${inOrder(report.statuses)}`,
    `changes: ${inOrder(report.changes)}`,
    `documented answers reached: ${report.reached.size} of ${report.documented}`,
    `never answered as documented: ${report.unreached.join(', ') || 'none'}; never with a success: ${report.unsuccessful.join(', ') || 'none'}`,
    `gateway memory: ${memoryMb.map((one) => one.toFixed(0)).join(' MB, then ')} MB`,
    '',
  ].join('\n')
}

/** With how to send it again: by itself, and, should that not be enough, with all that went before it. */
export function failureText({ seed }: ContractRun, { index, complaints, request }: ContractFailure): string {
  return [
    `request ${index}: ${complaints.join('; ')}`,
    request,
    `npm run fuzz -- --seed ${seed} --from ${index} --requests 1`,
    `npm run fuzz -- --seed ${seed} --requests ${index + 1}`,
  ].join('\n  ')
}

function inOrder(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  return sorted.map(([name, times]) => `${name} ${times}`).join(', ')
}

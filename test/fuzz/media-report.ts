import type { MediaFailure, MediaReport, MediaRun } from './media.ts'

export function mediaText(run: MediaRun, report: MediaReport): string {
  const { failures, files, seconds, longestMs, memoryMb } = report
  return [
    ...failures.map((failure) => mediaFailureText(run, failure)),
    `${files} files, seed ${run.seed}, ${failures.length} failures, ${seconds.toFixed(0)} s, the longest ${longestMs.toFixed(0)} ms`,
    ...[...report.outcomes]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([what, times]) => `${what} ${times}`),
    `memory of the process that asks: ${memoryMb.map((one) => one.toFixed(0)).join(' MB, then ')} MB`,
    '',
  ].join('\n')
}

export function mediaFailureText({ seed }: MediaRun, { index, what }: MediaFailure): string {
  return `file ${index}: ${what}\n  npm run fuzz -- --seed ${seed} --from ${index} --media 1`
}

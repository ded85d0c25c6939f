import type { ChaosOperation } from '../../chaos/history.ts'
import { machine, percentile, printTable } from '../table.ts'
import type { ClusterRun } from './run.ts'

/** What answers took, what was done in the time, and whether anything was lost. */
export function printClusterReport(run: ClusterRun): void {
  const { history, options } = run
  const killed = run.kills.map(({ kind, atMs }) => `${kind} at ${Math.round(atMs / 1000)} s`).join(', ') || 'none'
  const verbs = [...new Set(history.operations.map(({ verb }) => verb))]
  printTable(
    `${options.users} users and ${options.talkers} talkers for ${options.seconds} s; killed: ${killed} (${machine()})`,
    verbs.map((verb) =>
      routeRow(
        verb,
        history.operations.filter((one) => one.verb === verb),
      ),
    ),
  )
  printTable('Conversations', [talkRow(run)])
  printTable('Transcribed', [workRow(run)])
  const [first] = run.looks
  if (first)
    printTable(
      'The dashboard',
      Object.keys(first.look).map((panel) => ({
        panel: panel.replaceAll('|', '\\|'),
        ...Object.fromEntries(run.looks.map(({ when, look }) => [when, look[panel] ?? ''])),
      })),
    )
  const { complaints } = history
  console.log(complaints.length === 0 ? '\nNothing was lost.' : '\nWrong:')
  for (const { check, sentence } of complaints) console.log(`  ${check}: ${sentence}`)
}

function routeRow(verb: string, operations: readonly ChaosOperation[]) {
  const answered = operations.filter(({ outcome }) => outcome !== 'unknown').map(({ tookMs }) => tookMs)
  const refused = operations.filter(({ status = 0 }) => status >= 500)
  return {
    route: verb,
    requests: operations.length,
    'p50 ms': percentile(answered, 0.5),
    'p95 ms': percentile(answered, 0.95),
    'cut off': operations.length - answered.length,
    '5xx': refused.length,
  }
}

function talkRow({ talkers: { tookMs, cutOff, backAfterMs }, endedMs }: ClusterRun) {
  return {
    conversations: tookMs.length,
    'a minute': perMinute(tookMs.length, endedMs),
    'p50 s': inSeconds(percentile(tookMs, 0.5)),
    'p95 s': inSeconds(percentile(tookMs, 0.95)),
    'cut off': cutOff.length,
    'the longest until one more was whole, s': backAfterMs.length === 0 ? '' : inSeconds(Math.max(...backAfterMs)),
  }
}

function workRow({ ledger, endedMs, loadMs }: ClusterRun) {
  const files = [...ledger.files.values()]
  const ended = files.filter(({ endings }) => endings.size > 0)
  const audioSeconds = ended.reduce((sum, { recording }) => sum + recording.chunks.length, 0)
  return {
    batches: ledger.batches.size,
    files: files.length,
    'deleted meanwhile': files.filter(({ life }) => life !== 'there').length,
    'files a minute': perMinute(ended.length, endedMs),
    'audio seconds (= chunks) a second': (audioSeconds / (endedMs / 1000)).toFixed(1),
    'all ended after the load, s': inSeconds(endedMs - loadMs),
  }
}

function perMinute(count: number, ms: number): string {
  return ((count * 60_000) / ms).toFixed(1)
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}

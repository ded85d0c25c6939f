import type { SessionTurns } from '../client/api.ts'
import { printable } from '../telemetry/printable.ts'
import { timeText } from '../speech/transcript/time-text.ts'

/** What was known of each turn while the session lasted, and what its recording says in that place. */
export function readableTurns({ file_id: fileId, status, hindered_by: obstacle, turns }: SessionTurns): string {
  const lines = turns.flatMap(({ role, start, live_text: live, text }) => [
    `${timeText(start)} ${role}`,
    ...(live === undefined ? [] : [`  live   ${printable(live)}`]),
    ...(text === undefined ? [] : [`  final  ${printable(text)}`]),
  ])
  const reasons = obstacle ? [`(${printable(obstacle.message)})`] : []
  return [`==> ${fileId}, ${status} <==`, ...lines, ...reasons].map((line) => `${line}\n`).join('')
}

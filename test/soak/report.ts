import { allowed } from './levels.ts'
import type { SoakReport } from './run.ts'

/** As Markdown, so that it can be pasted; what is 0 at both ends is left out. */
export function soakText({ rounds, start, end, heaps, grown }: SoakReport): string {
  const rows = [...end]
    .filter(([name, level]) => level !== 0 || start.get(name) !== 0)
    .map(([name, level]) => {
      const before = start.get(name) ?? 0
      return `| ${name} | ${shown(before)} | ${shown(level)} | ${level > allowed(name, before) ? 'grown' : 'as before'} |`
    })
  return [
    '| what | start | end | |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    `${rounds} rounds; heap of gateway/worker each minute: ${heaps.join(' ')}`,
    grown.length === 0 ? 'Nothing has grown.' : `Grown: ${grown.join(', ')}`,
    '',
  ].join('\n')
}

function shown(level: number): string {
  return Number.isInteger(level) ? String(level) : level.toFixed(1)
}

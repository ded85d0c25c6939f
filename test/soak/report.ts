import { allowed } from './levels.ts'
import type { SoakReport } from './run.ts'

/** As Markdown, so that it can be pasted; what is 0 at both ends is left out. */
export function soakText({ rounds, start, end, heaps, grown }: SoakReport): string {
  const rows = [...end]
    .filter(([name, level]) => level !== 0 || start.get(name) !== 0)
    .map(([name, level]) => {
      const before = start.get(name) ?? 0
      return `| ${name} | ${shown(before)} | ${shown(level)} | ${verdict(level, allowed(name, before))} |`
    })
  return [
    '| what | start | end | |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    `${rounds} rounds; heap of gateway/worker/realtime each minute: ${heaps.join(' ')}`,
    grown.length === 0 ? 'Nothing has grown.' : `Grown: ${grown.join(', ')}`,
    '',
  ].join('\n')
}

function verdict(level: number, most: number): string {
  if (most === Infinity) return 'kept by intention'
  return level > most ? 'grown' : 'as before'
}

function shown(level: number): string {
  return Number.isInteger(level) ? String(level) : level.toFixed(1)
}

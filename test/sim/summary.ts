import type { SimVerdict } from './run.ts'

/** What many seeds came to. */
interface SimSummary {
  add(verdict: SimVerdict): void
  readonly failed: number
  /** How often each thing happened in all of them. */
  readonly counts: ReadonlyMap<string, number>
  text(took: { readonly ms: number; readonly cpuMs: number }): string
}

export function createSummary(): SimSummary {
  const counts = new Map<string, number>()
  let seeds = 0
  let failed = 0
  let tries = 0
  let works = 0
  let virtualMs = 0
  let steps = 0
  return {
    counts,
    get failed() {
      return failed
    },
    add(verdict) {
      seeds += 1
      if (verdict.complaint !== undefined) failed += 1
      tries += verdict.tries
      works += verdict.works
      virtualMs += verdict.virtualMs
      steps += verdict.steps
      for (const [what, times] of verdict.counts) counts.set(what, (counts.get(what) ?? 0) + times)
    },
    text({ ms, cpuMs }) {
      const perMinute = Math.round((seeds * 60_000) / cpuMs)
      const happened = [...counts]
        .sort(([one], [other]) => one.localeCompare(other))
        .map((pair) => `  ${pair.join(': ')}`)
      return [
        `${seeds} seeds, ${failed} failed, in ${inSeconds(ms)}, ${inSeconds(cpuMs)} of them on a core (${perMinute} in a minute of it)`,
        `${(virtualMs / 3_600_000).toFixed(1)} h of virtual time, ${steps} steps; ${tries} tries at ${works} pieces of work`,
        ...happened,
        '',
      ].join('\n')
    },
  }
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

import type { Progress } from '../../telemetry/progress.ts'
import { errorInWords } from '../error-in-words.ts'

/** What a look at one thing came to. */
export interface Diagnosis {
  /** What was looked at: `broker.replicas`. */
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly reason: string
  /** What to do. Whatever is not well has it. */
  readonly advice?: string
}

/** Looks at some things that belong together. Writes nothing that it does not remove. */
export interface Examination {
  readonly about: string
  readonly look: () => Promise<readonly Diagnosis[]>
}

export function healthy(check: string, reason: string): Diagnosis {
  return { check, state: 'ok', reason }
}

export function doubtful(check: string, reason: string, advice: string): Diagnosis {
  return { check, state: 'warning', reason, advice }
}

export function broken(check: string, reason: string, advice: string): Diagnosis {
  return { check, state: 'failed', reason, advice }
}

/** One after the other, so that none is slow because of another. A look that itself fails is a finding too. */
export async function examine(
  examinations: readonly Examination[],
  { progress, stopping }: { readonly progress: Progress; readonly stopping: AbortSignal },
): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = []
  for (const [index, { about, look }] of examinations.entries()) {
    progress.update(index / examinations.length)
    if (stopping.aborted) throw new Error('Stopped before everything was looked at.')
    const found = await look().catch((error: unknown) => [
      broken(about, errorInWords(error), 'What it says must be mended first; then look again.'),
    ])
    diagnoses.push(...found)
  }
  progress.done()
  return diagnoses
}

export function isHealthy(diagnoses: readonly Diagnosis[]): boolean {
  return diagnoses.every(({ state }) => state !== 'failed')
}

const stateWidth = 'warning'.length

export function diagnosesInWords(diagnoses: readonly Diagnosis[]): string {
  const width = Math.max(...diagnoses.map(({ check }) => check.length))
  const lines = diagnoses.flatMap(({ check, state, reason, advice }) => [
    `${state.padEnd(stateWidth)}  ${check.padEnd(width)}  ${reason}`,
    ...(advice === undefined ? [] : [`${' '.repeat(stateWidth + width + 4)}→ ${advice}`]),
  ])
  const count = (wanted: Diagnosis['state']): number => diagnoses.filter(({ state }) => state === wanted).length
  return [...lines, '', `${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed.`, ''].join('\n')
}

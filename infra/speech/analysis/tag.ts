import type { Tag, TagType } from '../../../actors/transcript/state.ts'

export interface AnalysedWord {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly confidence: number
}

/** Windows that were scored one by one become stretches: neighbours above the threshold are one, as sure as their best. */
export interface ScoredTag {
  readonly start: number
  readonly end: number
  readonly score: number
}

export function tagsAbove(windows: readonly ScoredTag[], type: TagType, threshold: number): Tag[] {
  const tags: Tag[] = []
  for (const { start, end, score } of windows) {
    if (score < threshold) continue
    const last = tags.at(-1)
    if (last && start <= last.end)
      tags[tags.length - 1] = { ...last, end, confidence: Math.max(last.confidence, score) }
    else tags.push({ type, start, end, confidence: score })
  }
  return tags
}

export function logistic(evidence: number): number {
  return 1 / (1 + Math.exp(-evidence))
}

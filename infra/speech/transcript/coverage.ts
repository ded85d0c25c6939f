import type { Seconds } from '../analysis/prosody.ts'

/** Of real speech that was understood nothing longer than 0.64 s is without a word: a held vowel, a breath, an um. */
const shortestSeconds = 0.8

/**
 * Where voice activity found speech and nobody wrote a word, in order of time. Whatever the words are: every moment of
 * speech is in a word, in one of these, or in a rest that is too short to be a word.
 */
export function wordlessSpeech(speech: readonly Seconds[], words: readonly Seconds[]): Seconds[] {
  const told = merged(words)
  return merged(speech).flatMap((span) =>
    without(span, told).filter(({ start, end }) => end - start >= shortestSeconds),
  )
}

/** In order, and none overlaps another. */
function merged(spans: readonly Seconds[]): Seconds[] {
  const apart: Seconds[] = []
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = apart.at(-1)
    if (last && start <= last.end) apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, end) }
    else apart.push({ start, end })
  }
  return apart
}

/** What is left of a span without the others, which are in order. */
function without(span: Seconds, others: readonly Seconds[]): Seconds[] {
  const left: Seconds[] = []
  let at = span.start
  for (let i = firstEndingAfter(others, span.start); i < others.length && others[i]!.start < span.end; i += 1) {
    if (others[i]!.start > at) left.push({ start: at, end: others[i]!.start })
    at = Math.max(at, others[i]!.end)
  }
  if (at < span.end) left.push({ start: at, end: span.end })
  return left
}

function firstEndingAfter(spans: readonly Seconds[], seconds: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.end <= seconds) low = middle + 1
    else high = middle
  }
  return low
}

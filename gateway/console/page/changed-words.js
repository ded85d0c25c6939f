/**
 * Where two lines of words differ: after those that both begin with, before those that both end with.
 * @param {string[]} before
 * @param {string[]} after
 */
export function changedWords(before, after) {
  let from = 0
  while (from < before.length && before[from] === after[from]) from += 1
  const most = Math.min(before.length, after.length) - from
  let same = 0
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same += 1
  return { from, beforeEnd: before.length - same, afterEnd: after.length - same }
}

/** A word as a reader sees it. */
export function writtenAs({ word, punctuated_word: written = word }) {
  return written
}

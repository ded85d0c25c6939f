/**
 * Names with values as people write them, a line for each: `ticket: A-17`.
 * @param {string} lines
 * @returns {{ pairs: Record<string, string>, wrong?: string }} `wrong`: the first line that is none
 */
export function pairsIn(lines) {
  const written = lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const found = written.map((line) => /^([^:]*[^:\s])\s*:\s*(.*)$/u.exec(line))
  const wrong = written.find((_, at) => !found[at])
  const pairs = Object.fromEntries(found.flatMap((match) => (match ? [[match[1], match[2]]] : [])))
  return { pairs, ...(wrong !== undefined && { wrong }) }
}

/** Which of the heard words were said, by the least edits that turn one text into the other. */
export function rightWords(said: readonly string[], heard: readonly string[]): boolean[] {
  const width = heard.length + 1
  const costs = new Uint32Array((said.length + 1) * width)
  for (let i = 0; i <= said.length; i += 1)
    for (let j = 0; j <= heard.length; j += 1) {
      const change =
        i > 0 && j > 0 ? costs[(i - 1) * width + j - 1]! + (said[i - 1] === heard[j - 1] ? 0 : 1) : Infinity
      const fewer = i > 0 ? costs[(i - 1) * width + j]! + 1 : Infinity
      const more = j > 0 ? costs[i * width + j - 1]! + 1 : Infinity
      costs[i * width + j] = i === 0 && j === 0 ? 0 : Math.min(change, fewer, more)
    }
  const right = heard.map(() => false)
  let [i, j] = [said.length, heard.length]
  while (i > 0 && j > 0) {
    const isSame = said[i - 1] === heard[j - 1]
    const here = costs[i * width + j]!
    if (here === costs[(i - 1) * width + j - 1]! + (isSame ? 0 : 1)) {
      right[j - 1] = isSame
      i -= 1
      j -= 1
    } else if (here === costs[(i - 1) * width + j]! + 1) i -= 1
    else j -= 1
  }
  return right
}

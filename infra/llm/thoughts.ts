/** Takes what a model thinks aloud out of what it says. */
export interface ThoughtFilter {
  /** What of it may be said now; the beginning of a mark is kept until it is known to be one. */
  take(delta: string): string
  /** What was kept, at the end. */
  rest(): string
}

const opening = '<think>'
const closing = '</think>'

/** Models that think write `<think>…</think>` before their answer, in pieces that end anywhere. */
export function createThoughtFilter(): ThoughtFilter {
  let kept = ''
  let isThinking = false
  /** White space between a thought and the answer is not said either. */
  let isAtStart = true

  const said = (text: string): string => {
    const shown = isAtStart ? text.trimStart() : text
    if (shown !== '') isAtStart = false
    return shown
  }
  return {
    take(delta) {
      let output = ''
      kept += delta
      for (;;) {
        const mark = isThinking ? closing : opening
        const at = kept.indexOf(mark)
        if (at === -1) break
        if (!isThinking) output += said(kept.slice(0, at))
        else isAtStart = true
        kept = kept.slice(at + mark.length)
        isThinking = !isThinking
      }
      const held = begunMark(kept, isThinking ? closing : opening)
      if (!isThinking) output += said(kept.slice(0, kept.length - held))
      kept = kept.slice(kept.length - held)
      return output
    },
    rest() {
      const output = isThinking ? '' : said(kept)
      kept = ''
      return output
    },
  }
}

/** How many characters at the end could be the beginning of the mark. */
function begunMark(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(mark.slice(0, length))) return length
  return 0
}

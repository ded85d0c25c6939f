import { terminal } from '../actors/failure.ts'

/** Nothing of ours is nested deeper than a few levels, and seven million of them cost seconds. */
const levelsMax = 1_000
/** More than any list that is taken. Each wrong entry costs a complaint, and three million of them cost seconds. */
const valuesMax = 200_000

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = Array.from('"\\,[]{}', (letter) =>
  letter.charCodeAt(0),
)

/** Refuses in one pass over the text what would take long to read, and longer to complain about. */
export function refuseBombs(text: string): void {
  let levels = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at)
    if (letter === quote) at = endOfString(text, at)
    else if (letter === comma) values += 1
    else if (letter === openList || letter === openObject) levels += 1
    else if (letter === closeList || letter === closeObject) levels -= 1
    if (levels > levelsMax) throw terminal('invalid_request', `body: is nested deeper than ${levelsMax} levels`)
    if (values > valuesMax) throw terminal('invalid_request', `body: has more than ${valuesMax} values`)
  }
}

/** Where the closing quote is, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const letter = text.charCodeAt(at)
    if (letter === backslash) at += 1
    else if (letter === quote) return at
  }
  return text.length
}

import { terminal } from '../actors/failure.ts'

/** Nothing of ours is nested deeper than a few levels, and seven million of them cost seconds. */
const levelsMax = 1_000
/** More than any list that is taken: ten thousand sources with all their fields, and as many ids. */
const valuesMax = 100_000
/** No object of ours has a hundred. Names that all differ are the dearest thing in JSON: 190,000 of them took 0.7 s. */
const namesMax = 1_000

// written out: what is computed is looked up again for every byte
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/**
 * Refuses in one pass what would take long to read, and longer to complain about. It looks at bytes, which are compared faster than the
 * letters of a text; those that mean something here are a part of no other letter.
 */
export function refuseBombs(json: Uint8Array): void {
  /** Of each list and object that is open: how many names it has. */
  const names: number[] = []
  let values = 0
  for (let at = 0; at < json.length; at += 1)
    switch (json[at]!) {
      case quote:
        at = endOfString(json, at)
        break
      case comma:
        values += 1
        if (values > valuesMax) throw terminal('invalid_request', `body: has more than ${valuesMax} values`)
        break
      case colon:
        countName(names)
        break
      case openList:
      case openObject:
        names.push(0)
        if (names.length > levelsMax)
          throw terminal('invalid_request', `body: is nested deeper than ${levelsMax} levels`)
        break
      case closeList:
      case closeObject:
        names.pop()
        break
      default: // a part of a number, a word or a space
    }
}

function countName(names: number[]): void {
  const count = (names.pop() ?? 0) + 1
  names.push(count)
  if (count > namesMax) throw terminal('invalid_request', `body: has an object with more than ${namesMax} fields`)
}

/** Where the closing quote is, or the end. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}

import { randomFillSync } from 'node:crypto'

const idLength = 21
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx'
const pool = Buffer.alloc(4096)
let used = pool.length

/** Such as `item_4xK…`: 123 random bits, drawn many at a time because every event has one. */
export function newSessionId(prefix: string): string {
  if (used + idLength > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let id = ''
  for (let at = used; at < used + idLength; at += 1) id += letters[pool[at]! % letters.length]
  used += idLength
  return `${prefix}_${id}`
}

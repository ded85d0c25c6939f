import { join, normalize } from 'node:path'

import test from 'ava'
import * as fc from 'fast-check'

import { checkKey, checkPrefix, keyMaxLength, keyPartMaxLength } from '../../infra/blobs/key.ts'

const root = '/srv/store'

/** Mostly what people try against path joins, so that the accepted keys are not all harmless. */
const hostilePart = fc.oneof(
  fc.constantFrom('.', '..', '...', '', '~', '%2e%2e', '..%2f', '\\', '..\\', '\0', ' ', 'C:', '-rf', '*'),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const hostileKey = fc.array(hostilePart, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('/'))

test('an accepted key never leaves its folder, and no two keys are one path', (t) => {
  let accepted = 0
  fc.assert(
    fc.property(hostileKey, (key) => {
      if (!accepts(checkKey, key)) return
      accepted += 1
      const path = join(root, key)
      t.true(path.startsWith(`${root}/`))
      t.is(path, `${root}/${key}`)
      t.is(normalize(path), path)
    }),
    { numRuns: 2000 },
  )
  t.true(accepted > 100, `only ${accepted} keys were accepted: the property was hardly tried`)
})

test('a prefix is accepted exactly when it is a key and a slash', (t) => {
  t.plan(2000)
  fc.assert(
    fc.property(hostileKey, (key) => {
      t.is(accepts(checkPrefix, `${key}/`), accepts(checkKey, key))
    }),
    { numRuns: 2000 },
  )
})

test('the limits on the lengths of a key and of its parts are exact', (t) => {
  const parts = (length: number) => 'ab/'.repeat(length).slice(0, length)
  t.true(accepts(checkKey, `${parts(keyMaxLength - 1)}x`))
  t.false(accepts(checkKey, `${parts(keyMaxLength)}x`))
  t.true(accepts(checkKey, `a/${'x'.repeat(keyPartMaxLength)}`))
  t.false(accepts(checkKey, `a/${'x'.repeat(keyPartMaxLength + 1)}`))
})

function accepts(check: (text: string) => void, text: string): boolean {
  try {
    check(text)
    return true
  } catch {
    return false
  }
}

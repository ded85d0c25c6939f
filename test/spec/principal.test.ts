import { inspect } from 'node:util'

import test from 'ava'
import * as fc from 'fast-check'

import { isOwner } from '../../actors/ids.ts'
import { principalOf } from '../../infra/identity/principal.ts'

const issuer = 'https://issuer.example'

test('an owner is the first 22 characters of base64url(sha256(iss, NUL, sub))', (t) => {
  t.like(principalOf('iss', 'sub'), { owner: 'ecn8givVLggx01K724Imsq' })
})

test('a principal keeps the subject as the token has it', (t) => {
  t.is(principalOf(issuer, ' Asha\r\n').subject, ' Asha\r\n')
})

test('users differ by subject, by issuer, and by where one ends and the other begins', (t) => {
  const owners = [principalOf('ab', 'c'), principalOf('a', 'bc'), principalOf('ab', 'C'), principalOf('ab', 'c ')]
  t.is(new Set(owners.map(({ owner }) => owner)).size, owners.length)
})

test('whatever a subject holds, its owner is safe in a key', (t) => {
  const nasty = ['*', '>', 'a.b', '$JS.API.>', '../../etc', 'x\r\nSet-Cookie: y', '\0', '🗣️', 'x'.repeat(10_240)]
  for (const subject of nasty) t.true(isOwner(principalOf(issuer, subject).owner), JSON.stringify(subject.slice(0, 20)))
  t.notThrows(() =>
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (subject) => isOwner(principalOf(issuer, subject).owner))),
  )
})

test('a principal that is logged, spread or serialised leaves the subject behind', (t) => {
  const principal = principalOf(issuer, 'asha@example.org')
  for (const text of [inspect(principal), JSON.stringify(principal), JSON.stringify({ ...principal })])
    t.notRegex(text, /asha/)
})

test('a principal cannot be changed into another', (t) => {
  const principal = principalOf(issuer, 'asha')
  t.throws(() => Object.assign(principal, { owner: principalOf(issuer, 'bala').owner }), { instanceOf: TypeError })
})

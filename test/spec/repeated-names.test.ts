import test from 'ava'
import * as fc from 'fast-check'

import { repeatsName } from '../../infra/identity/repeated-names.ts'

test('a name that occurs twice in one object is found, however it is written and however deep', (t) => {
  for (const json of [
    '{"sub":"a","sub":"b"}',
    '{"sub":"a","exp":1,"sub":"a"}',
    '{"sub" : "a",\n"sub"\t: "b"}',
    '{"sub":"a","\\u0073ub":"b"}',
    '{"aud":[{"x":{"y":1,"y":2}}]}',
    '{"__proto__":1,"__proto__":2}',
    '{"a\\"":1,"a\\"":2}',
  ])
    t.true(repeatsName(json), json)
})

test('a name that occurs in several objects, in a value or in a list is no repetition', (t) => {
  for (const json of [
    '{}',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\"a\\":1","b":"a"}',
    '{"a":["b","b"],"b":"x:y"}',
    '{"\\\\":1,"\\\\\\"":2,"":3}',
  ])
    t.false(repeatsName(json), json)
})

test('nothing that JSON.stringify writes repeats a name', (t) => {
  t.notThrows(() => fc.assert(fc.property(fc.json(), (json) => !repeatsName(json))))
})

test('nesting as deep as a token can hold is read without exhausting the stack', (t) => {
  t.false(repeatsName('['.repeat(6_000) + ']'.repeat(6_000)))
})

import test from 'ava'

import { scopeOf } from '../../gateway/scopes.ts'

test('a route that is not public and has no scope does not start', (t) => {
  t.throws(() => scopeOf({ id: 'forgotten', access: 'user' }), { message: /scopes\.ts and the route forgotten differ/ })
})

test('a route with a scope cannot be made public by accident', (t) => {
  t.is(scopeOf({ id: 'deleteFiles', access: 'user' }), 'files')
  t.throws(() => scopeOf({ id: 'deleteFiles', access: 'public' }), { message: /differ on who may ask/ })
})

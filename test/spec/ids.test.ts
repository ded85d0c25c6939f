import test from 'ava'

import { isFileId, isOwner, uploadKey, uuidRandomBytes, uuidV7 } from '../../actors/ids.ts'

const zeros = new Uint8Array(uuidRandomBytes)

test('a new id is a UUID of version 7 with the variant of RFC 9562', (t) => {
  t.is(uuidV7(0x0123456789ab, zeros), '01234567-89ab-7000-8000-000000000000')
  t.is(uuidV7(0x0123456789ab, new Uint8Array(uuidRandomBytes).fill(255)), '01234567-89ab-7fff-bfff-ffffffffffff')
})

test('ids made later sort later', (t) => {
  t.true(uuidV7(1_000, new Uint8Array(uuidRandomBytes).fill(255)) < uuidV7(1_001, zeros))
})

test('only a lower-case UUID is taken for an id', (t) => {
  for (const text of ['', '*', '>', 'a.b', '../x', '01234567-89AB-7000-8000-000000000000', ' '.repeat(36)])
    t.false(isFileId(text), JSON.stringify(text))
  t.true(isFileId('01234567-89ab-7000-8000-000000000000'))
})

test('a storage key holds ids only', (t) => {
  const id = uuidV7(1, zeros)
  const owner = 'o'.repeat(22)
  if (!isFileId(id) || !isOwner(owner)) return t.fail()
  t.is(uploadKey({ owner, uploadId: id as never, fileId: id }), `uploads/${owner}/${id}/${id}`)
})

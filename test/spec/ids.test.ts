import test from 'ava'

import { isFileId, isOwner, madeAtMs, uploadKey } from '../../actors/ids.ts'
import { newIds } from '../../infra/ids/new-ids.ts'
import { aFileId, anUploadId } from '../support/builders.ts'
import { aManualClock } from '../support/manual-clock.ts'

test('a new id is a UUID of version 7 with the variant of RFC 9562, and tells when it was made', (t) => {
  const id = newIds(aManualClock(0x0123456789ab)).nextFileId()
  t.regex(id, /^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.is(madeAtMs(id), 0x0123456789ab)
})

test('ids made later sort later, and those made at the same time differ', (t) => {
  const clock = aManualClock()
  const ids = newIds(clock)
  const atOnce = Array.from({ length: 1_000 }, () => ids.nextFileId())
  t.is(new Set(atOnce).size, atOnce.length)
  clock.advance(1)
  const later = ids.nextFileId()
  t.true(atOnce.every((id) => id < later))
})

test('only a lower-case UUID is taken for an id', (t) => {
  for (const text of ['', '*', '>', 'a.b', '../x', '01234567-89AB-7000-8000-000000000000', ' '.repeat(36)])
    t.false(isFileId(text), JSON.stringify(text))
  t.true(isFileId('01234567-89ab-7000-8000-000000000000'))
})

test('a storage key holds ids only', (t) => {
  const [fileId, uploadId] = [aFileId(), anUploadId()]
  const owner = 'o'.repeat(22)
  if (!isOwner(owner)) return t.fail()
  t.is(uploadKey({ owner, uploadId, fileId }), `uploads/${owner}/${uploadId}/${fileId}`)
})

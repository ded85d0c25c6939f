import { S3ServiceException } from '@aws-sdk/client-s3'
import test from 'ava'

import { FailureError, terminal } from '../../actors/failure.ts'
import { classify } from '../../infra/blobs/s3-classify.ts'

for (const [name, status, said] of [
  ['NoSuchKey', 404, /^not_found: There is no object/],
  ['NotFound', 404, /^not_found: There is no object/],
  ['NoSuchBucket', 404, /^storage_unavailable: The storage bucket does not exist/],
  ['NoSuchUpload', 404, /^storage_unavailable: The upload was ended/],
  ['PermanentRedirect', 301, /^storage_unavailable: .*another region/],
  ['InvalidAccessKeyId', 403, /^storage_unavailable: The object store refuses our keys/],
  ['SignatureDoesNotMatch', 403, /^storage_unavailable: The object store refuses our keys/],
  ['QuotaExceeded', 403, /^storage_unavailable: The object store is full/],
  ['RequestTimeTooSkewed', 403, /^storage_unavailable: The clocks/],
  ['SlowDown', 503, /^storage_unavailable: The object store is busy/],
  ['RequestTimeout', 400, /^storage_unavailable: The object store did not answer in time/],
  ['InternalError', 500, /^storage_unavailable: The object store failed/],
] as const)
  test(`the answer ${name} (${status}) is told in our words`, (t) => {
    const failure = classify(new S3ServiceException({ name, $fault: 'server', $metadata: { httpStatusCode: status } }))
    t.true(failure instanceof FailureError)
    t.regex(failure.message, said)
  })

for (const [facts, said] of [
  [{ code: 'ECONNREFUSED' }, /cannot be reached/],
  [{ code: 'ENOTFOUND' }, /cannot be reached/],
  [{ code: 'ECONNRESET', name: 'TimeoutError' }, /cannot be reached/],
  [{ message: 'socket hang up' }, /cannot be reached/],
  [{ code: 'ETIMEDOUT', name: 'TimeoutError' }, /did not answer in time/],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /certificate/],
  [{ name: 'CredentialsProviderError' }, /no keys/],
  [{ name: 'SyntaxError', $response: { statusCode: 502 } }, /failed; try again/],
] as const)
  test(`the error ${JSON.stringify(facts)} is a reason to try again`, (t) => {
    const failure = classify(Object.assign(new Error('x'), facts))
    t.regex(failure.message, /^storage_unavailable: /)
    t.regex(failure.message, said)
  })

test('what nobody foresaw stays what it is, as it is a bug', (t) => {
  const bug = new TypeError('x is not a function')
  t.is(classify(bug), bug)
})

test('what was told in our words already is not told again', (t) => {
  const failure = terminal('too_large', 'Too large.')
  t.is(classify(failure), failure)
})

import { FailureError, away, terminal } from '../../actors/failure.ts'

const transportCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'UND_ERR_SOCKET',
])
const timeouts = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException'])
const busy = new Set(['SlowDown', 'ServiceUnavailable', 'TooManyRequests', 'Throttling', 'ThrottlingException'])
const missing = new Set(['NoSuchKey', 'NotFound'])
const full = new Set(['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull'])
const wrongRegion = new Set(['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'])

const untrusted = /CERT|UNABLE_TO_VERIFY|^ERR_TLS/
/** Node gives no code to these two. */
const brokenConnection = /socket hang up|^aborted$/

const noSuchBucket = 'The storage bucket does not exist; create it or correct STORAGE_URL.'

/**
 * A wrong key or a missing bucket is retryable: an operator mends it, and what users have sent must wait until then
 * rather than fail for good.
 */
export function classify(error: unknown): Error {
  if (error instanceof FailureError) return error
  const { name, code, status } = factsOf(error)
  const unavailable = (reason: string) => away('storage_unavailable', reason, error)
  if (missing.has(name)) return terminal('not_found', 'There is no object with this key.', error)
  if (name === 'NoSuchBucket') return unavailable(noSuchBucket)
  if (name === 'CredentialsProviderError')
    return unavailable('There are no keys for the object store; set its access key and secret key.')
  if (wrongRegion.has(name)) return unavailable('The storage bucket is in another region; correct STORAGE_URL.')
  if (full.has(name) || status === 507) return unavailable('The object store is full; free some room and try again.')
  if (name === 'RequestTimeTooSkewed')
    return unavailable('The clocks of this machine and of the object store differ too much; set them right.')
  if (status === 401 || status === 403)
    return unavailable('The object store refuses our keys; correct them or allow them to read and write the bucket.')
  if (name === 'NoSuchUpload') return unavailable('The upload was ended in the object store; try again.')
  if (untrusted.test(code))
    return unavailable('The certificate of the object store is not trusted; name its authority in NODE_EXTRA_CA_CERTS.')
  if (busy.has(name) || status === 429) return unavailable('The object store is busy; try again in a moment.')
  // The SDK calls a broken connection a timeout too, so its code is looked at first.
  if (transportCodes.has(code) || brokenConnection.test(messageOf(error)))
    return unavailable('The object store cannot be reached; try again in a moment.')
  if (timeouts.has(name) || code === 'ETIMEDOUT' || status === 408)
    return unavailable('The object store did not answer in time; try again in a moment.')
  if (status >= 500) return unavailable('The object store failed; try again in a moment.')
  return error instanceof Error ? error : new Error('the object store failed', { cause: error })
}

export function isMissing(error: unknown): boolean {
  return missing.has(factsOf(error).name)
}

/** `If-None-Match: *` met an object, or (409) another writer that is about to store one. */
export function isTaken(error: unknown): boolean {
  const { name, status } = factsOf(error)
  return status === 412 || name === 'PreconditionFailed' || name === 'ConditionalRequestConflict'
}

export function isBeyondTheEnd(error: unknown): boolean {
  return factsOf(error).status === 416
}

function factsOf(error: unknown): { name: string; code: string; status: number } {
  const name = property(error, 'name')
  const code = property(error, 'code')
  // An answer that is not of S3, such as a proxy's page, has its status in $response only.
  const status =
    property(property(error, '$metadata'), 'httpStatusCode') ?? property(property(error, '$response'), 'statusCode')
  return {
    name: typeof name === 'string' ? name : '',
    code: typeof code === 'string' ? code : '',
    status: typeof status === 'number' ? status : 0,
  }
}

function property(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null && name in input ? Reflect.get(input, name) : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

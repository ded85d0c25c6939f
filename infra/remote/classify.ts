import { FailureError, terminal } from '../../actors/failure.ts'
import { codeOf } from '../process/error-code.ts'

/** Errors of the network are not kept as a cause: they name the host, and a log would repeat it. */
export function unavailable(detail: string, retryAfterSeconds?: number): FailureError {
  return new FailureError({
    kind: 'retryable',
    code: 'remote_unavailable',
    detail,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

export function refusedByServer(detail: string): FailureError {
  return terminal('remote_refused', detail)
}

const badCertificate = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA$)/
const noTls = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/
const noHttp = /^HPE_(?!INVALID_EOF_STATE)/
const broken = /^(?:E[A-Z]+|ERR_STREAM_PREMATURE_CLOSE|ERR_SOCKET_[A-Z_]+|HPE_INVALID_EOF_STATE)$/

/** The one place that looks inside an error of a connection. */
export function classify(error: unknown): unknown {
  if (error instanceof FailureError) return error
  const code = codeOf(error)
  if (badCertificate.test(code))
    return refusedByServer(`The certificate of the server of this URL is not valid (${code}). Its owner must renew it.`)
  if (noTls.test(code))
    return refusedByServer(`The server of this URL does not speak HTTPS as it should (${code}). Check the port.`)
  if (noHttp.test(code)) return refusedByServer(`The server of this URL does not answer in proper HTTP (${code}).`)
  if (broken.test(code)) return unavailable(`The server of this URL cannot be reached or hung up (${code}).`)
  return error
}

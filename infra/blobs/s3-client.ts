import { S3Client } from '@aws-sdk/client-s3'

import type { Log } from '../../actors/ports.ts'
import type { KnownStore } from './identity.ts'
import { answerTimeoutMs, attempts, connectionsMax, connectTimeoutMs, idleTimeoutMs } from './s3-limits.ts'

export interface S3Options {
  readonly bucket: string
  /** Of a server that is not Amazon's. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  /** Before every key; ends in `/`. */
  readonly prefix?: string | undefined
  /** Without these the SDK looks where it always does: environment, profile, role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** `host/bucket/key` instead of `bucket.host/key`; by default for every server that is not Amazon's. */
  readonly forcePathStyle?: boolean | undefined
  readonly log: Log
  /** What the whole service knows of the store in this bucket; without it, what this process has seen. */
  readonly known?: KnownStore
}

const defaultRegion = 'us-east-1'
/** Does not speak to the server yet. */
export function connectS3({ endpoint, region, credentials, forcePathStyle, log }: S3Options): S3Client {
  return new S3Client({
    ...(endpoint === undefined ? { followRegionRedirects: true } : { endpoint }),
    ...(credentials && { credentials }),
    region: region ?? defaultRegion,
    forcePathStyle: forcePathStyle ?? endpoint !== undefined,
    logger: sdkLog(log),
    retryMode: 'standard',
    maxAttempts: attempts,
    // S3-alikes of some years do not know the newer checksums, neither in requests nor in answers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: idleTimeoutMs,
      requestTimeout: answerTimeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: connectionsMax },
      httpsAgent: { keepAlive: true, maxSockets: connectionsMax },
    },
  })
}

/** The SDK warns on the console otherwise. What it has to say beyond sentences holds whole requests, bodies included. */
function sdkLog(log: Log) {
  const silent = () => {}
  const warn = (said: unknown) => {
    if (typeof said === 'string') log.debug('the object store client warns', { said })
  }
  return { trace: silent, debug: silent, info: silent, warn, error: silent }
}

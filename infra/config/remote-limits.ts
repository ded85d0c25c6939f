import type { RemoteLimits } from '../remote/limits.ts'
import type { UrlPolicy } from '../remote/url.ts'
import type { Config } from './config.ts'

export function remoteLimits(config: Config): RemoteLimits {
  return {
    maxBytes: config.uploadMaxFileBytes,
    totalMs: config.remoteTotalSeconds * 1000,
    graceMs: config.remoteGraceSeconds * 1000,
    patienceMs: config.remotePatienceSeconds * 1000,
    minBytesPerSecond: config.remoteMinBytesPerSecond,
    maxRedirects: config.remoteMaxRedirects,
    maxResumes: config.remoteMaxResumes,
    resumePauseMs: config.remoteResumePauseMs,
    maxRetryAfterSeconds: config.remoteRetryAfterSeconds,
  }
}

export function urlPolicy(config: Config): UrlPolicy {
  return { http: config.remoteHttp, ports: config.remotePorts, allowPrivate: config.remoteAllowPrivate }
}

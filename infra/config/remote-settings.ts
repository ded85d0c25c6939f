import { z } from 'zod'

import { readRange } from '../remote/address.ts'
import { bytes, flag, integer, items, numeral, readBy } from './kinds.ts'

/** How sources that are given by URL are fetched. Their size is limited by UPLOAD_MAX_FILE_BYTES like that of any file. */
export const remoteSettings = {
  remoteHttp: flag({
    variable: 'REMOTE_HTTP',
    about: 'Whether sources are fetched from `http:` URLs too, not from `https:` ones alone.',
    fallback: true,
  }),
  remotePorts: items({
    variable: 'REMOTE_PORTS',
    about: 'Ports that sources are fetched from.',
    fallback: '80,443,8080,8443',
    expects: 'port numbers',
    item: numeral(/^\d{1,5}$/, z.number().min(1).max(65_535)),
  }),
  remoteAllowPrivate: items({
    variable: 'REMOTE_ALLOW_PRIVATE',
    about: 'Private networks that sources may be fetched from, such as `10.20.0.0/16`; all others are refused.',
    fallback: '',
    expects: 'networks such as 10.20.0.0/16 or fd12::/48',
    item: readBy(readRange),
  }),
  remoteTotalSeconds: integer({
    variable: 'REMOTE_TOTAL_SECONDS',
    about: 'The longest that fetching one source may take, however large it is, redirects and resumptions included.',
    unit: 'seconds',
    fallback: 3600,
    min: 1,
    max: 86_400,
  }),
  remoteGraceSeconds: integer({
    variable: 'REMOTE_GRACE_SECONDS',
    about:
      'How long fetching any source may take; each REMOTE_MIN_BYTES_PER_SECOND that arrived allow a second more, up to REMOTE_TOTAL_SECONDS.',
    unit: 'seconds',
    fallback: 120,
    min: 1,
    max: 86_400,
  }),
  remotePatienceSeconds: integer({
    variable: 'REMOTE_PATIENCE_SECONDS',
    about: 'How long a remote server may take to answer, and the window over which its speed is judged.',
    unit: 'seconds',
    fallback: 30,
    min: 1,
    max: 3600,
  }),
  remoteMinBytesPerSecond: bytes({
    variable: 'REMOTE_MIN_BYTES_PER_SECOND',
    about: 'A remote server that sends more slowly than this for REMOTE_PATIENCE_SECONDS is left.',
    fallback: '16KiB',
    min: 1,
  }),
  remoteMaxRedirects: integer({
    variable: 'REMOTE_MAX_REDIRECTS',
    about: 'Redirects that are followed, each checked like the first URL.',
    unit: 'redirects',
    fallback: 3,
    max: 10,
  }),
  remoteMaxResumes: integer({
    variable: 'REMOTE_MAX_RESUMES',
    about: 'How often a broken transfer is continued where it stopped before it counts as failed.',
    unit: 'times',
    fallback: 5,
    max: 100,
  }),
  remoteResumePauseMs: integer({
    variable: 'REMOTE_RESUME_PAUSE_MS',
    about: 'Pause before the first such continuation; each further pause is longer by as much.',
    unit: 'milliseconds',
    fallback: 1000,
    max: 60_000,
  }),
  remoteRetryAfterSeconds: integer({
    variable: 'REMOTE_RETRY_AFTER_SECONDS',
    about: 'The longest wait that a remote server may ask for.',
    unit: 'seconds',
    fallback: 600,
    min: 1,
    max: 86_400,
  }),
} as const

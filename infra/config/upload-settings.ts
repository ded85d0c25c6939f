import { bytes, choice, flag, integer, text } from './kinds.ts'

/** Uploads, from the first byte to object storage. */
export const uploadSettings = {
  uploadTo: choice({
    variable: 'UPLOAD_TO',
    about:
      'Where uploads are received: `storage` answers when object storage has them, `spool` when this machine’s disk does; `auto` is `storage` with s3 and `spool` with a folder.',
    allowed: ['auto', 'spool', 'storage'],
    fallback: 'auto',
  }),
  uploadDeduplicate: flag({
    variable: 'UPLOAD_DEDUPLICATE',
    about:
      'Whether bytes that the same user has stored already are stored once for both files, unless an upload says `deduplicate=false`.',
    fallback: true,
  }),
  uploadMaxFileBytes: bytes({
    variable: 'UPLOAD_MAX_FILE_BYTES',
    about: 'Largest file that is accepted.',
    fallback: '2GiB',
    min: 1,
  }),
  uploadMaxFiles: integer({
    variable: 'UPLOAD_MAX_FILES',
    about: 'Most files in one upload request.',
    unit: 'files',
    fallback: 200,
    min: 1,
    // an upload is one record of the broker, with the names of all its files in it
    max: 500,
  }),
  uploadMaxRequestBytes: bytes({
    variable: 'UPLOAD_MAX_REQUEST_BYTES',
    about: 'Largest body of one upload request.',
    fallback: '32GiB',
    min: 1,
  }),
  uploadMaxConcurrent: integer({
    variable: 'UPLOAD_MAX_CONCURRENT',
    about: 'Upload requests that one gateway receives at the same time; more are asked to come back.',
    unit: 'requests',
    fallback: 64,
    min: 1,
    max: 10_000,
  }),
  quotaStoredFiles: integer({
    variable: 'QUOTA_STORED_FILES',
    about: 'Most files that one user may have uploaded and not deleted; 0 means no such limit.',
    unit: 'files',
    fallback: 1_000_000,
    max: 100_000_000,
  }),
  quotaStoredBytes: bytes({
    variable: 'QUOTA_STORED_BYTES',
    about: 'Most bytes of them; 0 means no such limit.',
    fallback: '1TiB',
    min: 0,
  }),
  uploadMaxPerUser: integer({
    variable: 'UPLOAD_MAX_PER_USER',
    about: 'How many of these may be of one user.',
    unit: 'requests',
    fallback: 16,
    min: 1,
    max: 10_000,
  }),
  uploadResumableMax: integer({
    variable: 'UPLOAD_RESUMABLE_MAX',
    about: 'Resumable uploads that one user may have begun and not finished.',
    unit: 'uploads',
    fallback: 20,
    min: 1,
    max: 1_000,
  }),
  uploadResumableSeconds: integer({
    variable: 'UPLOAD_RESUMABLE_SECONDS',
    about: 'How long what came of a resumable upload waits for the rest of it, from its beginning.',
    unit: 'seconds',
    fallback: 86_400,
    min: 1,
    max: 30 * 86_400,
  }),
  uploadMinBytesPerSecond: bytes({
    variable: 'UPLOAD_MIN_BYTES_PER_SECOND',
    about: 'A client that sends more slowly than this for UPLOAD_PATIENCE_SECONDS is cut off.',
    fallback: '1KiB',
    min: 0,
  }),
  uploadPatienceSeconds: integer({
    variable: 'UPLOAD_PATIENCE_SECONDS',
    about: 'The window over which an upload’s speed is judged.',
    unit: 'seconds',
    fallback: 30,
    min: 1,
    max: 3600,
  }),
  transferConcurrency: integer({
    variable: 'TRANSFER_CONCURRENCY',
    about:
      'Files that one gateway moves from its spool into object storage at the same time; of one user one less, if there is more than one place.',
    unit: 'files',
    fallback: 8,
    min: 1,
    max: 256,
  }),
  transferGiveUpSeconds: integer({
    variable: 'TRANSFER_GIVE_UP_SECONDS',
    about:
      'How long storage may stay away before a waiting file ends `failed`; counted anew when the gateway starts again.',
    unit: 'seconds',
    fallback: 86_400,
    min: 1,
    max: 2_592_000,
  }),
  transferRetryFirstMs: integer({
    variable: 'TRANSFER_RETRY_FIRST_MS',
    about: 'How soon a file that storage did not take is tried again; doubled after each further failure.',
    unit: 'milliseconds',
    fallback: 500,
    min: 1,
    max: 3_600_000,
  }),
  transferRetryLastMs: integer({
    variable: 'TRANSFER_RETRY_LAST_MS',
    about: 'The longest such pause.',
    unit: 'milliseconds',
    fallback: 30_000,
    min: 1,
    max: 3_600_000,
  }),
  sweepMs: integer({
    variable: 'SWEEP_MS',
    about: 'How often the sweeper looks at what is open, and deletions that storage or broker held up are tried again.',
    unit: 'milliseconds',
    fallback: 30_000,
    min: 10,
    max: 3_600_000,
  }),
  spoolDir: text({
    variable: 'SPOOL_DIR',
    about:
      'Folder where uploads wait until storage has them; empty means `spool` under DATA_DIR. Gateways that share one take over from each other.',
    fallback: '',
  }),
  spoolReserveBytes: bytes({
    variable: 'SPOOL_RESERVE_BYTES',
    about:
      'Room on a disk of this machine that recordings never use, in the spool or while they are decoded; transcripts and stored recordings leave a quarter of it, for the broker.',
    fallback: '256MiB',
    min: 0,
  }),
  gatewayLeaseMs: integer({
    variable: 'GATEWAY_LEASE_MS',
    about: 'A gateway that is not heard of for so long is taken over from, where another can reach its spool.',
    unit: 'milliseconds',
    fallback: 30_000,
    min: 100,
    max: 3_600_000,
  }),
  gatewayGiveUpSeconds: integer({
    variable: 'GATEWAY_GIVE_UP_SECONDS',
    about: 'How long a gateway may stay away before the files in its spool, which no other can reach, end `failed`.',
    unit: 'seconds',
    fallback: 3600,
    min: 1,
    max: 2_592_000,
  }),
} as const

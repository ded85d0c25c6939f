const mebibyte = 1024 * 1024

/** Anything larger is sent in parts of this size, each kept in memory while it is on its way. */
export const partBytes = 8 * mebibyte
export const partConcurrency = 4
/** Of one upload that comes from a client: one is filled while the other is sent. */
export const streamedParts = 2
/** Of every S3: parts of one upload, bytes of one request, keys of one page and of one DeleteObjects. */
export const partsMax = 10_000
export const requestMaxBytes = 5 * 1024 * mebibyte
export const pageKeys = 1000

export const attempts = 4
export const connectTimeoutMs = 3_000
/** No byte in either direction; a reader that pauses longer loses its connection. */
export const idleTimeoutMs = 60_000
/** From the first byte of a request to the first of its answer, and more for a body of any size. */
export const answerTimeoutMs = 30_000
export const slowestBytesPerMs = 256
/** Readiness is asked for every few seconds and must not wait for all the attempts. */
export const checkTimeoutMs = 5_000
export const connectionsMax = 128

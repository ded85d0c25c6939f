/**
 * What the C library is told when a process of ours starts: what is large is asked of the system, and given back to it when it is free.
 * Left to itself the library raises its limit for that to the size of a model's weights, and keeps what one leaves (decision 51).
 */
export const allocationEnvironment = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' } as const

/** The broker counts its times in nanoseconds. */
export const nanosPerMs = 1_000_000

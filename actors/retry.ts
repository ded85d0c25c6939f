/** Doubles from the first delay up to the last one; jitter in [0, 1) spreads a herd over the second half of the delay. */
export function retryDelayMs(
  attempt: number,
  of: { readonly firstMs: number; readonly lastMs: number; readonly jitter: number },
): number {
  const fullMs = Math.min(of.lastMs, of.firstMs * 2 ** Math.max(0, attempt - 1))
  return Math.round(fullMs * (0.5 + of.jitter / 2))
}

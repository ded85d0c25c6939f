/** To a thousandth: what a reader can use of seconds and shares. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

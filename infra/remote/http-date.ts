/** Milliseconds, or NaN for what is no date of HTTP: `Date.parse` alone finds a date in almost anything. */
export function readHttpDate(text: string | undefined): number {
  return text !== undefined && /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) : NaN
}

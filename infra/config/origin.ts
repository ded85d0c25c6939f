/** `*`, or as browsers write it: a scheme, a host and a port if it is not the usual one. */
export function readOrigin(item: string): string | undefined {
  if (item === '*') return item
  const url = URL.canParse(item) ? new URL(item) : undefined
  return url && url.origin !== 'null' && item.replace(/\/$/, '') === url.origin ? url.origin : undefined
}

/** Runs up to `width` at the same time, ahead of who reads, and yields in order. Who stops reading stops it. */
export async function* ahead<In, Out>(
  source: Iterable<In> | AsyncIterable<In>,
  width: number,
  run: (one: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const running: Promise<Out>[] = []
  for await (const one of source) {
    const next = run(one)
    // it is looked at when its turn comes, or, when nobody reads on, never
    next.catch(() => undefined)
    running.push(next)
    if (running.length >= width) yield await running.shift()!
  }
  for (const last of running) yield await last
}

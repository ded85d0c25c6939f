/** Thousands of words are worked out at the first use, not when the program starts. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

type Present<Key extends string, T> = { readonly [K in Key]?: Exclude<T, undefined> }

/** A property only where there is a value: `undefined` is not the same as absent. */
export function present<Key extends string, T>(key: Key, value: T): Present<Key, T> {
  return value === undefined ? {} : ({ [key]: value } as Present<Key, T>) // as: a computed key widens to string
}

/** Memory for one chunk after the other: new memory for each would lie about until it is collected. */
export function lent<Numbers extends Float32Array | Float64Array>(
  make: (length: number) => Numbers,
): (length: number) => Numbers {
  let whole = make(0)
  return (length) => {
    if (whole.length < length) whole = make(length)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a part of such numbers is of their kind
    return whole.subarray(0, length) as Numbers
  }
}

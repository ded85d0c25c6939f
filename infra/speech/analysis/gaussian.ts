/**
 * A normal distribution of many dimensions, kept as sums, so that two can be put together without the data. Plain numbers,
 * because it travels from the process that heard a chunk to the one that merges the file.
 */
export interface Gaussian {
  readonly count: number
  readonly sums: readonly number[]
  /** Sums of products, row after row. */
  readonly products: readonly number[]
}

export function gaussianOf(rows: readonly Float32Array[], dimensions: number): Gaussian {
  const sums = new Float64Array(dimensions)
  const products = new Float64Array(dimensions * dimensions)
  for (const row of rows) {
    for (let i = 0; i < dimensions; i += 1) {
      sums[i]! += row[i]!
      for (let j = 0; j < dimensions; j += 1) products[i * dimensions + j]! += row[i]! * row[j]!
    }
  }
  return { count: rows.length, sums: Array.from(sums), products: Array.from(products) }
}

/** The same, as it is computed with: numbers side by side, which an array that has travelled no longer has. */
export interface Moments {
  readonly count: number
  readonly sums: Float64Array
  readonly products: Float64Array
}

export function momentsOf({ count, sums, products }: Gaussian): Moments {
  return { count, sums: Float64Array.from(sums), products: Float64Array.from(products) }
}

export function together(first: Moments, second: Moments): Moments {
  return {
    count: first.count + second.count,
    sums: first.sums.map((sum, at) => sum + second.sums[at]!),
    products: first.products.map((product, at) => product + second.products[at]!),
  }
}

/** Keeps a covariance of few frames from collapsing. */
const floorVariance = 0.05

/** The logarithm of the determinant of the covariance, by Cholesky's decomposition. */
export function logDeterminant(moments: Moments): number {
  return logDeterminantTogether(moments, nothing)
}

/** That of two together, which need not be made for it: every voice is tried with every other. */
export function logDeterminantTogether(first: Moments, second: Moments): number {
  const size = first.sums.length
  const count = first.count + second.count
  let total = 0
  for (let i = 0; i < size; i += 1) {
    const row = i * size
    const mean = (first.sums[i]! + second.sums[i]!) / count
    for (let j = 0; j <= i; j += 1) {
      const column = j * size
      const product = first.products[row + j]! + second.products[row + j]!
      let value = product / count - mean * ((first.sums[j]! + second.sums[j]!) / count)
      if (i === j) value += floorVariance
      for (let k = 0; k < j; k += 1) value -= lower[row + k]! * lower[column + k]!
      lower[row + j] = i === j ? Math.sqrt(Math.max(value, 1e-9)) : value / lower[column + j]!
    }
    total += 2 * Math.log(lower[row + i]!)
  }
  return total
}

const largestSize = 16
/** Every element that is read was written before in the same call. */
const lower = new Float64Array(largestSize * largestSize)
const nothing: Moments = {
  count: 0,
  sums: new Float64Array(largestSize),
  products: new Float64Array(largestSize * largestSize),
}

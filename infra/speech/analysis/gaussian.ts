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

export function together(first: Gaussian, second: Gaussian): Gaussian {
  return {
    count: first.count + second.count,
    sums: first.sums.map((sum, at) => sum + second.sums[at]!),
    products: first.products.map((product, at) => product + second.products[at]!),
  }
}

/** Keeps a covariance of few frames from collapsing. */
const floorVariance = 0.05

/** The logarithm of the determinant of the covariance, by Cholesky's decomposition. */
export function logDeterminant({ count, sums, products }: Gaussian): number {
  const size = sums.length
  let total = 0
  for (let i = 0; i < size; i += 1) {
    const row = i * size
    for (let j = 0; j <= i; j += 1) {
      const column = j * size
      let value = products[row + j]! / count - (sums[i]! / count) * (sums[j]! / count)
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

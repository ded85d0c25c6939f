/** Things of some weight, and how far each is from each: from 1 on they are more likely two than one. */
interface Clustering {
  readonly weights: readonly number[]
  readonly distance: (one: number, other: number) => number
  /** A cluster that weighs less is no cluster, and goes to the nearest. */
  readonly leastWeight: number
  /** How many there are, where somebody knows. */
  readonly wanted?: number
}

interface Cluster {
  readonly members: readonly number[]
  readonly weight: number
}

/**
 * Joins the two nearest again and again. Two clusters are as far apart as their members are on average: unlike the distance of
 * what they make together, that does not grow with the length of a recording.
 */
export function clustersOf({ weights, distance, leastWeight, wanted }: Clustering): (readonly number[])[] {
  const table = weights.map((_, one) => Array.from({ length: one }, (__, other) => distance(one, other)))
  const clusters = weights.map((weight, at): Cluster => ({ members: [at], weight }))
  const isSmall = ({ weight }: Cluster): boolean => weight < leastWeight
  const fewest = wanted ?? 1
  const joinWhile = (goesOn: (nearest: Pair) => boolean, mayJoin: (one: Cluster, other: Cluster) => boolean): void => {
    while (clusters.length > fewest) {
      const nearest = nearestTwo(table, (i, j) => mayJoin(clusters[i]!, clusters[j]!))
      if (!nearest || !goesOn(nearest)) return
      join(clusters, table, nearest)
    }
  }
  // as many as are wanted are not joined with each other: what is left over goes to one of them
  const mayBeOne = (one: Cluster, other: Cluster): boolean =>
    wanted === undefined || isSmall(one) || isSmall(other) || clusters.filter((all) => !isSmall(all)).length > wanted
  joinWhile(({ distance: apart }) => apart < 1, mayBeOne)
  joinWhile(
    () => true,
    (one, other) => isSmall(one) || isSmall(other),
  )
  if (wanted !== undefined)
    joinWhile(
      () => true,
      () => true,
    )
  return clusters.map(({ members }) => members)
}

/** Places of two clusters, the later one first. */
interface Pair {
  readonly i: number
  readonly j: number
  readonly distance: number
}

/** Row i of the table holds how far i is from each one before it. */
type Table = number[][]

function nearestTwo(table: Table, mayJoin: (i: number, j: number) => boolean): Pair | undefined {
  let nearest: Pair | undefined
  for (const [i, row] of table.entries())
    for (let j = 0; j < row.length; j += 1)
      if ((nearest === undefined || row[j]! < nearest.distance) && mayJoin(i, j)) nearest = { i, j, distance: row[j]! }
  return nearest
}

function join(clusters: Cluster[], table: Table, { i, j }: Pair): void {
  const [first, second] = [clusters[j]!, clusters[i]!]
  const weight = first.weight + second.weight
  const apart = (one: number, other: number): number => table[Math.max(one, other)]![Math.min(one, other)]!
  for (const k of clusters.keys())
    if (k !== i && k !== j)
      table[Math.max(j, k)]![Math.min(j, k)] = (first.weight * apart(j, k) + second.weight * apart(i, k)) / weight
  clusters[j] = { members: [...first.members, ...second.members], weight }
  clusters.splice(i, 1)
  table.splice(i, 1)
  for (const row of table.slice(i)) row.splice(i, 1)
}

import { read } from './api.js'

/** Of a plain list; of one that is filtered or sorted, so many are looked at for a page. */
const filesPerPage = 25
const lookedAtOnce = 200
const lookedMax = 1000

/**
 * One page of recordings, from a place on: as many as fit, or those that match among the next thousand.
 * @param {{ query: Record<string, string>, order?: (one: any, other: any) => number, isFiltered: boolean }} wanted
 * @returns {Promise<{ files: any[], next?: string }>} `next`: the place where there are more
 */
export async function filesPage({ query, order, isFiltered }, { cursor, signal }) {
  if (!isFiltered && !order) {
    const page = await pageOf({ limit: filesPerPage, cursor, signal })
    return { ...page, files: withSameNames(page.files) }
  }
  const files = []
  let next = cursor
  for (let looked = 0; looked < lookedMax; looked += lookedAtOnce) {
    const page = await pageOf({ ...query, limit: lookedAtOnce, cursor: next, signal })
    files.push(...page.files)
    next = page.next
    if (next === undefined || (!order && files.length >= lookedAtOnce)) break
  }
  const named = withSameNames(files)
  return { files: order ? named.toSorted(order) : named, next }
}

/** What the recording is called whose bytes another has, where both are shown. */
function withSameNames(files) {
  const names = new Map(files.map(({ file_id: id, filename }) => [id, filename]))
  return files.map((file) => (file.deduplicated ? { ...file, same_name: names.get(file.same_as) } : file))
}

async function pageOf({ signal, cursor, ...query }) {
  const asked = new URLSearchParams({ ...query, ...(cursor && { cursor }) })
  const { files, next_cursor: next } = await read(`/transcribe/files?${asked}`, { signal })
  return { files, next }
}

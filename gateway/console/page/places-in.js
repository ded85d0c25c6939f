import { read } from './api.js'

/** As many as are gone through by hand. */
const placesMax = 200

/** Where in the transcript of a file something is said, in whichever letters and nearly any spelling. */
export function placesIn(fileId, signal) {
  return async (text) => {
    const parameters = new URLSearchParams({ q: text, file_id: fileId, limit: String(placesMax) })
    return (await read(`/search?${parameters}`, { signal })).results
  }
}

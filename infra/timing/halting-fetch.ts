import { untilAborted } from './until-aborted.ts'

/**
 * `fetch` whose signal holds. That of Node 20 forgets its signal when the objects it made of it are collected: an endpoint
 * that had begun and fell silent was then waited for as long as nothing at all may come, five minutes.
 */
export const haltingFetch: typeof fetch = async (input, init) => {
  const signal = init?.signal
  if (!signal) return fetch(input, init)
  const response = await untilAborted(signal, () => fetch(input, init))
  if (!response.body) return response
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), { status, statusText, headers })
}

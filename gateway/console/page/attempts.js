import { element, notice } from './element.js'

/**
 * A place for what went wrong, and who says it there: whatever is tried next clears it.
 * @param {AbortSignal} [signal] of a page: who has left it is told nothing
 */
export function attempts(signal) {
  const trouble = element('div', {})
  const attempt = async (act) => {
    trouble.replaceChildren()
    try {
      await act()
    } catch (error) {
      if (!signal?.aborted) trouble.replaceChildren(notice(error.message))
    }
  }
  return { trouble, attempt }
}

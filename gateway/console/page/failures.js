import { element } from './element.js'
import { clock, count } from './format.js'
import { retryButton } from './retry.js'

/** The recording itself is why: it is no sound, damaged, too much, or not there; or its result was not kept, and nothing failed. */
const lasting = new Set(['unsupported_media', 'invalid_request', 'too_large', 'not_found', 'remote_refused', 'expired'])

/** Whether another attempt may end otherwise: not with the same damaged recording. */
export function isWorthAnother(errors) {
  return errors.some(({ code }) => !lasting.has(code))
}

/** What could not be transcribed, why, and a way to try again. Nothing when all went well. */
export function failures(file, { batchId, onRetried }) {
  const chunks = (file.chunk_results ?? []).filter(({ status }) => status === 'failed')
  const errors = (file.errors ?? []).filter(({ chunk_index: chunk }) => chunk === undefined)
  if (chunks.length === 0 && errors.length === 0) return ''
  const isOffered = chunks.length > 0 || isWorthAnother(errors)
  return element(
    'section',
    { class: 'card failures', 'aria-labelledby': 'failures-title' },
    element('h2', { id: 'failures-title' }, titleOf(chunks, errors)),
    element(
      'ul',
      {},
      ...errors.map(({ message, attempts }) => element('li', {}, message, after(attempts))),
      ...chunks.map((chunk) =>
        element(
          'li',
          {},
          element('strong', {}, spanOf(chunk)),
          ` ${chunk.error?.message ?? 'The reason is not known.'}`,
          after(chunk.attempts),
        ),
      ),
    ),
    isOffered ? retryButton(batchId, onRetried) : noHelp(),
  )
}

function noHelp() {
  return element('p', { class: 'quiet' }, 'Trying again would not help.')
}

function titleOf(chunks, errors) {
  if (chunks.length === 0) return errors.length > 0 ? 'This recording could not be transcribed' : ''
  return `${count(chunks.length, 'part')} could not be transcribed`
}

function spanOf({ start, end, chunk_index: index }) {
  return start === undefined ? `Part ${index + 1}:` : `${clock(start)} to ${clock(end)}:`
}

function after(attempts) {
  return attempts > 1 ? element('span', { class: 'quiet' }, ` After ${attempts} attempts.`) : ''
}

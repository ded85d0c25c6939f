import { element } from './element.js'
import { clock } from './format.js'
import { retryFilesButton } from './retry.js'
import { say } from './say.js'

/** What could not be transcribed, why, and a way to try again. Nothing when all went well. */
export function failures(file, { batchId, onRetried }) {
  const chunks = (file.chunk_results ?? []).filter(({ status }) => status === 'failed')
  const errors = (file.errors ?? []).filter(({ chunk_index: chunk }) => chunk === undefined)
  if (chunks.length === 0 && errors.length === 0) return ''
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
          ` ${chunk.error?.message ?? say('failure.unknown')}`,
          after(chunk.attempts),
        ),
      ),
    ),
    file.can_retry ? retryFilesButton(batchId, { fileIds: () => [file.file_id], onRetried }) : noHelp(),
  )
}

function noHelp() {
  return element('p', { class: 'quiet' }, say('failure.noHelp'))
}

function titleOf(chunks, errors) {
  if (chunks.length === 0) return errors.length > 0 ? say('failure.whole') : ''
  return say('failure.parts', { count: chunks.length })
}

function spanOf({ start, end, chunk_index: index }) {
  return start === undefined
    ? say('failure.part', { number: index + 1 })
    : say('failure.span', { start: clock(start), end: clock(end) })
}

function after(attempts) {
  return attempts > 1 ? element('span', { class: 'quiet' }, ` ${say('failure.after', { count: attempts })}`) : ''
}

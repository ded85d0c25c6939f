import { deleteButton } from './delete-button.js'
import { element } from './element.js'
import { clock, isOpen, sizeOf } from './format.js'
import { fileMark } from './state-mark.js'

/**
 * One recording in a list: its name leads to what was said. With `box` it may be chosen.
 * @param {{ file_id: string, filename: string, size_bytes?: number, estimated_duration_seconds?: number }} file
 */
export function fileRow(file, { onDeleted, box } = {}) {
  const state = element('span', { class: 'state-place' })
  const name = element('a', { class: 'name', href: `#/file/${file.file_id}` }, file.filename)
  const bar = element('progress', { max: '1', hidden: true, 'aria-label': `Transcribed of ${file.filename}` })
  const reason = element('p', { class: 'reason', hidden: true })
  const node = element(
    'li',
    { class: 'row', 'data-file': file.file_id },
    box ? element('span', { class: 'chosen-name' }, box, name) : name,
    element('span', { class: 'quiet number' }, measure(file)),
    state,
    onDeleted && deleteOne(file, onDeleted),
    bar,
    reason,
  )
  let isGoing = true
  return {
    node,
    fileId: file.file_id,
    isGoing: () => isGoing,
    paint(progress) {
      isGoing = isOpen(progress.status)
      state.replaceChildren(fileMark(progress))
      const { total_chunks: total = 0, completed_chunks: done = 0, failed_chunks: failed = 0 } = progress
      bar.hidden = progress.status !== 'processing' || total === 0
      bar.value = total === 0 ? 0 : (done + failed) / total
      reason.textContent = reasonOf(progress)
      reason.hidden = reason.textContent === ''
    },
  }
}

/** Of what has failed; with its results come all errors, and the first one says most. */
function reasonOf({ status, error, errors = [] }) {
  return status === 'failed' || status === 'unstored' ? (error ?? errors[0]?.message ?? '') : ''
}

function measure({ estimated_duration_seconds: seconds, size_bytes: bytes }) {
  return [seconds && clock(seconds), bytes && sizeOf(bytes)].filter(Boolean).join(' · ')
}

function deleteOne({ file_id: fileId, filename }, onDeleted) {
  return deleteButton({ label: `Delete ${filename}`, fileIds: () => [fileId], what: () => filename, onDeleted })
}

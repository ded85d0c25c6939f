import { deleteButton } from './delete-button.js'
import { element } from './element.js'
import { clock, isOpen, sizeOf } from './format.js'
import { aboutLine } from './metadata.js'
import { retryFilesButton } from './retry.js'
import { say } from './say.js'
import { fileMark } from './state-mark.js'

/**
 * One recording in a list: its name leads to what was said. With `selected` it may be chosen.
 * @param {{ file_id: string, filename: string, size_bytes?: number, estimated_duration_seconds?: number, deduplicated?: boolean,
 *   same_name?: string }} file
 */
export function fileRow(file, { onDeleted, onRetried, selected } = {}) {
  const box = selected?.boxFor(file)
  const retrying = element('div', { class: 'row-retry' })
  const state = element('span', { class: 'state-place' })
  const name = element('a', { class: 'name', href: `#/file/${file.file_id}` }, file.filename)
  const bar = element('progress', {
    max: '1',
    hidden: true,
    'aria-label': say('file.transcribed', { name: file.filename }),
  })
  const about = aboutLine()
  const reason = element('p', { class: 'reason', hidden: true })
  const node = element(
    'li',
    { class: 'row', 'data-file': file.file_id },
    box ? element('span', { class: 'chosen-name' }, box, name) : name,
    element('span', { class: 'quiet number' }, measure(file)),
    state,
    onDeleted && deleteOne(file, onDeleted),
    about.node,
    bar,
    reason,
    retrying,
  )
  const offerRetry = ({ can_retry: canRetry, batch_id: batchId }) => {
    if (!canRetry || !onRetried) return retrying.replaceChildren()
    if (retrying.childElementCount > 0) return
    const label = say('file.tryAgain', { name: file.filename })
    retrying.replaceChildren(retryFilesButton(batchId, { fileIds: () => [file.file_id], onRetried, label }))
  }
  let isGoing = true
  let canRetry = false
  return {
    node,
    fileId: file.file_id,
    isGoing: () => isGoing,
    /** Whether another attempt may end otherwise. */
    canRetry: () => canRetry,
    paint(progress) {
      isGoing = isOpen(progress.status)
      state.replaceChildren(fileMark(progress))
      about.paint(progress)
      const { audio_seconds: seconds = 0, completed_audio_seconds: done = 0 } = progress
      bar.hidden = progress.status !== 'processing' || seconds === 0
      bar.value = seconds > 0 ? done / seconds : 0
      reason.textContent = reasonOf(progress)
      reason.hidden = reason.textContent === ''
      canRetry = progress.can_retry === true
      selected?.stands(file.file_id, progress)
      offerRetry(progress)
    },
  }
}

/** Of what has failed; with its results come all errors, and the first one says most. */
function reasonOf({ status, error, errors = [] }) {
  return status === 'failed' || status === 'unstored' ? (error ?? errors[0]?.message ?? '') : ''
}

function measure({ estimated_duration_seconds: seconds, size_bytes: bytes, deduplicated, same_name: name }) {
  const same = deduplicated && (name ? say('file.sameAs', { name }) : say('file.same'))
  return [seconds && clock(seconds), bytes && sizeOf(bytes), same].filter(Boolean).join(' · ')
}

function deleteOne({ file_id: fileId, filename }, onDeleted) {
  return deleteButton({
    label: say('file.delete', { name: filename }),
    fileIds: () => [fileId],
    what: () => filename,
    onDeleted,
  })
}

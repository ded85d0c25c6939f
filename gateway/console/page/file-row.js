import { ask } from './api.js'
import { announce, element } from './element.js'
import { clock, isOpen, sizeOf } from './format.js'
import { fileMark } from './state-mark.js'

/**
 * One recording in a list: its name leads to what was said.
 * @param {{ file_id: string, filename: string, size_bytes?: number, estimated_duration_seconds?: number }} file
 */
export function fileRow(file, { onDeleted } = {}) {
  const state = element('span', { class: 'state-place' })
  const name = element('a', { class: 'name', href: `#/file/${file.file_id}` }, file.filename)
  const bar = element('progress', { max: '1', hidden: true, 'aria-label': `Transcribed of ${file.filename}` })
  const reason = element('p', { class: 'reason', hidden: true })
  const node = element(
    'li',
    { class: 'row', 'data-file': file.file_id },
    name,
    element('span', { class: 'quiet number' }, measure(file)),
    state,
    onDeleted && deleteButton(file, onDeleted),
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

/** Asks once more in its own place, so that nothing is lost by a slip. */
function deleteButton(file, onDeleted) {
  const button = element(
    'button',
    { type: 'button', class: 'plain delete', 'aria-label': `Delete ${file.filename}` },
    'Delete',
  )
  let isSure = false
  const calm = () => {
    isSure = false
    button.textContent = 'Delete'
    button.classList.remove('sure')
  }
  button.addEventListener('blur', calm)
  button.addEventListener('click', async () => {
    if (!isSure) {
      isSure = true
      button.textContent = 'Really delete?'
      button.classList.add('sure')
      announce(`Press again to delete ${file.filename} and its transcript for good.`)
      return
    }
    button.disabled = true
    try {
      await ask('/files', { method: 'DELETE', json: { file_ids: [file.file_id] } })
      announce(`${file.filename} is deleted.`)
      onDeleted()
    } catch (error) {
      button.disabled = false
      calm()
      announce(error.message)
      button.title = error.message
    }
  })
  return button
}

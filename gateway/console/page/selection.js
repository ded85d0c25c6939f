import { deleteButton } from './delete-button.js'
import { downloadChosen } from './download-chosen.js'
import { element } from './element.js'
import { say } from './say.js'
import { retryChosen } from './retry-chosen.js'

/** Recordings of a list that were chosen, to do something to all of them at once. */
export function selection(onChanged) {
  const chosen = new Set()
  const boxes = new Map()
  const names = new Map()
  const standing = new Map()
  const worthy = () => [...chosen].flatMap((fileId) => worth(fileId, standing.get(fileId)))
  const retrying = retryChosen(worthy, onChanged)
  const said = element('span', { role: 'status' })
  const node = element(
    'div',
    { class: 'selection', hidden: true },
    said,
    plain(say('list.chooseAll'), () => choose([...boxes.keys()])),
    plain(say('list.chooseNone'), () => choose([])),
    downloadChosen(() => [...chosen].map((fileId) => ({ fileId, filename: names.get(fileId) }))),
    retrying,
    deleteChosen(chosen, onChanged),
  )
  const choose = (fileIds) => {
    chosen.clear()
    for (const fileId of fileIds) chosen.add(fileId)
    paint()
  }
  const paint = () => {
    for (const [fileId, box] of boxes) box.checked = chosen.has(fileId)
    said.textContent = say('list.chosen', { count: chosen.size })
    node.hidden = chosen.size === 0
    retrying.hidden = worthy().length === 0
  }
  return {
    node,
    /** What is not shown any more is not chosen: nobody deletes what they do not see. */
    show(files) {
      const shown = new Set(files.map(({ file_id: fileId }) => fileId))
      boxes.clear()
      names.clear()
      standing.clear()
      choose([...chosen].filter((fileId) => shown.has(fileId)))
    },
    /** How far one of them is now. */
    stands(fileId, progress) {
      standing.set(fileId, progress)
      if (chosen.has(fileId)) paint()
    },
    boxFor({ file_id: fileId, filename }) {
      const toggle = () => {
        if (box.checked) chosen.add(fileId)
        else chosen.delete(fileId)
        paint()
      }
      const label = say('file.choose', { name: filename })
      const box = element('input', { type: 'checkbox', 'aria-label': label, onchange: toggle })
      box.checked = chosen.has(fileId)
      boxes.set(fileId, box)
      names.set(fileId, filename)
      return box
    },
  }
}

function worth(fileId, { can_retry: canRetry, batch_id: batchId } = {}) {
  return canRetry ? [{ file_id: fileId, batch_id: batchId }] : []
}

function plain(text, onclick) {
  return element('button', { type: 'button', class: 'plain', onclick }, text)
}

function deleteChosen(chosen, onDeleted) {
  const what = () => say('batch.recordings', { count: chosen.size })
  return deleteButton({ label: say('list.deleteChosen'), fileIds: () => [...chosen], what, onDeleted })
}

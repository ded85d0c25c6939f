import { deleteButton } from './delete-button.js'
import { downloadChosen } from './download-chosen.js'
import { element } from './element.js'
import { count } from './format.js'

/** Recordings of a list that were chosen, to do something to all of them at once. */
export function selection(onDeleted) {
  const chosen = new Set()
  const boxes = new Map()
  const names = new Map()
  const said = element('span', { role: 'status' })
  const node = element(
    'div',
    { class: 'selection', hidden: true },
    said,
    element('button', { type: 'button', class: 'plain', onclick: () => choose([...boxes.keys()]) }, 'Choose all here'),
    element('button', { type: 'button', class: 'plain', onclick: () => choose([]) }, 'Choose none'),
    downloadChosen(() => [...chosen].map((fileId) => ({ fileId, filename: names.get(fileId) }))),
    deleteButton({
      label: 'Delete what is chosen',
      fileIds: () => [...chosen],
      what: () => count(chosen.size, 'recording'),
      onDeleted,
    }),
  )
  const choose = (fileIds) => {
    chosen.clear()
    for (const fileId of fileIds) chosen.add(fileId)
    paint()
  }
  const paint = () => {
    for (const [fileId, box] of boxes) box.checked = chosen.has(fileId)
    said.textContent = `${count(chosen.size, 'recording')} chosen`
    node.hidden = chosen.size === 0
  }
  return {
    node,
    /** What is not shown any more is not chosen: nobody deletes what they do not see. */
    show(files) {
      const shown = new Set(files.map(({ file_id: fileId }) => fileId))
      boxes.clear()
      names.clear()
      choose([...chosen].filter((fileId) => shown.has(fileId)))
    },
    boxFor({ file_id: fileId, filename }) {
      const toggle = () => {
        if (box.checked) chosen.add(fileId)
        else chosen.delete(fileId)
        paint()
      }
      const box = element('input', { type: 'checkbox', 'aria-label': `Choose ${filename}`, onchange: toggle })
      box.checked = chosen.has(fileId)
      boxes.set(fileId, box)
      names.set(fileId, filename)
      return box
    },
  }
}

import { read } from './api.js'
import { element, notice } from './element.js'
import { say } from './say.js'
import { transcript } from './transcript.js'

/**
 * Shows its owner what was taken out, in the place of the transcript, for as long as they look at it. Nothing else on the page knows of it: what is
 * copied, searched, edited, downloaded and shared is the transcript without. Each look is asked for, and is in the audit log.
 * @returns {{ control?: Node, node: Node }} `control` only where it was kept
 */
export function unredactedSwitch({ file_id: fileId, unredacted_kept: isKept }, { place, playFrom, signal }) {
  const node = element('div', { class: 'unredacted' })
  if (!isKept) return { node }
  const hide = () => {
    node.replaceChildren()
    place.hidden = false
  }
  const show = async () => {
    const { result } = await read(`/transcribe/results/file/${fileId}/unredacted`, { signal })
    if (!box.checked) return
    const { node: written } = transcript(result, { notes: [], onJump: playFrom })
    place.hidden = true
    node.replaceChildren(element('p', { class: 'warning', role: 'status' }, say('unredacted.shown')), written)
  }
  const fail = (error) => {
    box.checked = false
    hide()
    if (!signal.aborted) node.replaceChildren(notice(error.message))
  }
  const onchange = () => (box.checked ? void show().catch(fail) : hide())
  const box = element('input', { type: 'checkbox', onchange })
  return { control: element('label', { class: 'unredacted-switch' }, box, ` ${say('unredacted.show')}`), node }
}

import { read } from './api.js'
import { attempts } from './attempts.js'
import { announce, element } from './element.js'
import { inquiryParts } from './inquiry-parts.js'
import { patiently, pause } from './patience.js'
import { say } from './say.js'

const questionMax = 1000
/** How often it is looked whether what is waited for is there. */
const lookMs = 2_000

/**
 * What a chat model writes about the transcript: a summary, chapters, answers. Nothing is shown where there is no such model and nothing was written.
 * All of it is text, whoever wrote it.
 * @param {string} fileId
 * @param {{ playFrom: (seconds: number) => void, signal: AbortSignal }} given
 */
export function inquiriesPanel(fileId, { playFrom, signal }) {
  const path = `/transcribe/results/file/${fileId}/inquiries`
  const written = element('div', {})
  const { trouble, attempt } = attempts(signal)
  const form = questionForm((question) => void attempt(() => askFor({ type: 'question', question })))
  const title = element('summary', {}, say('inquiry.title'))
  const node = element('details', { class: 'inquiries', hidden: true }, title, written, trouble, form)
  let isLooking = false
  const askFor = async (wish) => {
    await read(path, { method: 'POST', json: wish, signal })
    if (wish.type === 'question') form.reset()
    await look()
  }
  const remove = async ({ inquiry_id: id }) => {
    await read(`${path}/${id}`, { method: 'DELETE', signal })
    form.querySelector('input').focus()
    await look()
  }
  const acts = {
    playFrom,
    ask: (wish) => void attempt(() => askFor(wish)),
    remove: (inquiry) => void attempt(() => remove(inquiry)),
  }
  /** Until nothing is waited for. */
  const look = async () => {
    const waitsFor = await show()
    if (waitsFor === 0 || isLooking) return
    isLooking = true
    try {
      do await pause(lookMs, signal)
      while ((await show()) > 0)
      announce(say('inquiry.written'))
    } finally {
      isLooking = false
    }
  }
  const show = async () => {
    const { available, inquiries } = await patiently(() => read(path, { signal }), signal)
    node.hidden = !available && inquiries.length === 0
    form.hidden = !available
    // who is at a button of it stays there
    const focused = document.activeElement?.dataset?.act
    written.replaceChildren(...inquiryParts(inquiries, { ...acts, isOpen: available }))
    if (focused) written.querySelector(`[data-act="${focused}"]`)?.focus()
    return inquiries.filter(({ status }) => status === 'waiting').length
  }
  void attempt(look)
  return node
}

function questionForm(onAsk) {
  const field = element('input', { id: 'question', type: 'text', maxlength: questionMax, required: true })
  const onsubmit = (event) => {
    event.preventDefault()
    onAsk(field.value)
  }
  return element(
    'form',
    { class: 'find', onsubmit },
    element('label', { class: 'unseen', for: 'question' }, say('inquiry.field')),
    field,
    element('button', { type: 'submit' }, say('inquiry.ask')),
  )
}

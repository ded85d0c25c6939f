import { element, notice } from './element.js'
import { count, sizeOf } from './format.js'
import { news, sendings } from './sendings.js'

/** What is being sent, file by file, for as long as it takes. */
export function sendingsPanel(signal) {
  const node = element('div', { class: 'sendings' })
  const rows = new Map()
  const paint = () => {
    for (const [sending, row] of rows)
      if (!sendings.has(sending)) {
        row.node.remove()
        rows.delete(sending)
      }
    for (const sending of sendings) {
      const row = rows.get(sending) ?? sendingRow(sending)
      if (!rows.has(sending)) node.append(row.node)
      rows.set(sending, row)
      row.paint()
    }
  }
  let isDue = false
  const paintSoon = () => {
    if (isDue) return
    isDue = true
    // hundreds of recordings tell how far they are many times a second
    requestAnimationFrame(() => {
      isDue = false
      paint()
    })
  }
  news.addEventListener('change', paintSoon, { signal })
  paint()
  return node
}

function sendingRow(sending) {
  const files = sending.files.map(sentRow)
  const title = element('h2', {})
  const much = element('span', { class: 'quiet number' })
  const bar = element('progress', { max: '1', value: '0', 'aria-label': 'Sent of all recordings' })
  const trouble = element('div', {})
  const button = element('button', { type: 'button', class: 'plain' })
  button.addEventListener('click', () => (sending.state === 'ended' ? sending.dismiss() : sending.stop()))
  const node = element(
    'section',
    { class: 'card sending' },
    element('div', { class: 'card-head' }, title, much, button, bar),
    element('ul', { class: 'rows' }, ...files.map((file) => file.node)),
    trouble,
  )
  return {
    node,
    paint() {
      for (const file of files) file.paint()
      title.textContent = titleOf(sending)
      const { sent, all } = amountOf(sending)
      bar.value = all > 0 ? sent / all : 0
      bar.hidden = sending.state === 'ended'
      much.textContent = bar.hidden ? '' : `${sizeOf(sent)} of ${sizeOf(all)}`
      button.textContent = sending.state === 'ended' ? 'Dismiss' : 'Stop'
      if (sending.error !== undefined && trouble.childElementCount === 0) trouble.append(notice(sending.error))
    },
  }
}

function titleOf({ state, files }) {
  const all = count(files.length, 'recording')
  const refused = files.filter((file) => file.state === 'refused').length
  if (state === 'sending') return `Sending ${all}`
  if (state === 'submitting' || state === 'submitted') return `Submitting ${all}`
  return refused === 0 ? 'Not submitted' : `${refused} of ${all} not taken`
}

/** In bytes. What was refused is not waited for. */
function amountOf({ files }) {
  const taken = files.filter(({ state }) => state !== 'refused')
  return {
    sent: taken.reduce((sum, { sizeBytes, sent }) => sum + sizeBytes * sent, 0),
    all: taken.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}

const words = { waiting: 'waiting', sending: 'arriving', storing: 'being stored', ready: 'sent', refused: 'not taken' }

function sentRow(sent) {
  const bar = element('progress', { max: '1', value: '0', 'aria-label': `Sent of ${sent.name}` })
  const state = element('span', { class: 'quiet number' })
  const trouble = element('p', { class: 'reason', hidden: true })
  return {
    node: element(
      'li',
      { class: 'row' },
      element('span', { class: 'name' }, sent.name),
      element('span', { class: 'quiet number' }, sizeOf(sent.sizeBytes)),
      bar,
      state,
      trouble,
    ),
    paint() {
      bar.value = sent.sent
      bar.hidden = sent.state === 'refused'
      const isUnderWay = sent.state === 'sending' && sent.sent < 1
      state.textContent = isUnderWay ? `${Math.floor(sent.sent * 100)} %` : words[sent.state]
      trouble.hidden = sent.error === undefined
      trouble.textContent = sent.error ?? ''
    },
  }
}

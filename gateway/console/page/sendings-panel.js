import { element, notice } from './element.js'
import { percent, sizeOf } from './format.js'
import { say } from './say.js'
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
  const bar = element('progress', { max: '1', value: '0', 'aria-label': say('sending.sentOfAll') })
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
      much.textContent = bar.hidden ? '' : say('sending.amount', { sent: sizeOf(sent), all: sizeOf(all) })
      button.textContent = say(sending.state === 'ended' ? 'sending.dismiss' : 'sending.stop')
      if (sending.error !== undefined && trouble.childElementCount === 0) trouble.append(notice(sending.error))
    },
  }
}

function titleOf({ state, files }) {
  const count = files.length
  const refused = files.filter((file) => file.state === 'refused').length
  if (state === 'sending') return say('sending.sending', { count })
  if (state === 'submitting' || state === 'submitted') return say('sending.submitting', { count })
  return refused === 0 ? say('sending.unsubmitted') : say('sending.refusedOf', { refused, count })
}

/** In bytes. What was refused is not waited for. */
function amountOf({ files }) {
  const taken = files.filter(({ state }) => state !== 'refused')
  return {
    sent: taken.reduce((sum, { sizeBytes, sent }) => sum + sizeBytes * sent, 0),
    all: taken.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}

const stateTexts = {
  waiting: 'sending.waiting',
  sending: 'sending.arriving',
  storing: 'sending.storing',
  ready: 'sending.sent',
  refused: 'sending.refused',
}

function sentRow(sent) {
  const bar = element('progress', { max: '1', value: '0', 'aria-label': say('sending.sentOf', { name: sent.name }) })
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
      state.textContent = isUnderWay ? percent(Math.floor(sent.sent * 100) / 100) : say(stateTexts[sent.state])
      trouble.hidden = sent.error === undefined
      trouble.textContent = sent.error ?? ''
    },
  }
}

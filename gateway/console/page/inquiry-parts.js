import { element, notice } from './element.js'
import { clock } from './format.js'
import { say } from './say.js'

/**
 * What was asked, with what came of it and what can be done about it.
 * @param {any[]} inquiries
 * @param {{ isOpen: boolean, playFrom: (seconds: number) => void, ask: (wish: object) => void, remove: (inquiry: any) => void }} acts
 * @returns {Node[]}
 */
export function inquiryParts(inquiries, acts) {
  const first = ['summary', 'chapters', 'translation'].map((type) => {
    const found = inquiries.find((one) => one.type === type)
    return found ? part(found, acts) : acts.isOpen && offer(type, acts)
  })
  return [...first, ...inquiries.filter(({ type }) => type === 'question').map((one) => part(one, acts))].filter(
    Boolean,
  )
}

const offers = { summary: 'inquiry.summarise', chapters: 'inquiry.findChapters', translation: 'inquiry.translate' }

function offer(type, { ask }) {
  return act(`ask-${type}`, say(offers[type]), { onclick: () => ask({ type }) })
}

const titles = { summary: 'inquiry.summary', chapters: 'inquiry.chapters', translation: 'inquiry.translation' }

function part(inquiry, acts) {
  const { inquiry_id: id, type, question, status } = inquiry
  const wish = { type, ...(question !== undefined && { question }), again: true }
  return element(
    'section',
    { class: 'inquiry' },
    element('h2', {}, question ?? say(titles[type])),
    ...contentOf(inquiry, acts),
    element(
      'p',
      { class: 'acts' },
      status !== 'waiting' &&
        acts.isOpen &&
        act(`again-${id}`, say('inquiry.again'), { onclick: () => acts.ask(wish), style: 'plain' }),
      act(`remove-${id}`, say('inquiry.remove'), { onclick: () => acts.remove(inquiry), style: 'plain' }),
    ),
  )
}

function contentOf(inquiry, { playFrom }) {
  const { status, summary, chapters, translation, answered, answer, sources = [], error } = inquiry
  if (status === 'waiting') return [element('p', { class: 'quiet', role: 'status' }, say('inquiry.waiting'))]
  if (status === 'failed') return [notice(error)]
  if (summary !== undefined) return [element('p', { class: 'text' }, summary)]
  const timed = chapters?.map(({ start, title }) => ({ start, text: title })) ?? translation
  if (timed) return [element('ol', { class: 'chapters' }, ...timed.map((one) => timedLine(one, playFrom)))]
  if (!answered) return [element('p', { class: 'quiet' }, say('inquiry.notSaid'))]
  return [
    element('p', { class: 'text' }, answer),
    sources.length > 0 &&
      element('p', { class: 'sources' }, ...sources.map(({ start }) => timeButton(start, playFrom))),
  ].filter(Boolean)
}

function timedLine({ start, text }, playFrom) {
  return element('li', {}, timeButton(start, playFrom), element('span', {}, text))
}

function act(name, label, { onclick, style = '' }) {
  return element('button', { type: 'button', class: style, 'data-act': name, onclick }, label)
}

function timeButton(start, playFrom) {
  const label = say('player.playFrom', { time: clock(start) })
  return element(
    'button',
    { type: 'button', class: 'time', 'aria-label': label, onclick: () => playFrom(start) },
    clock(start),
  )
}

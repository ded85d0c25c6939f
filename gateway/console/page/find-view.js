import { read } from './api.js'
import { element, notice } from './element.js'
import { findBox } from './find-box.js'
import { clock } from './format.js'
import { say } from './say.js'

const placesPerPage = 50

/** Every place where something was said, each a step away from being heard. */
export async function findView(signal, encoded) {
  const query = decodeURIComponent(encoded)
  const list = element('ol', { class: 'found-places' })
  const more = element('div', { class: 'pager' })
  const show = async (page) => {
    const parameters = new URLSearchParams({ q: query, page: String(page), limit: String(placesPerPage) })
    const found = await read(`/search?${parameters}`, { signal })
    list.append(...found.results.map(placeNode))
    const next = () => void show(page + 1).catch((error) => more.replaceChildren(notice(error.message)))
    more.replaceChildren(
      ...(page < found.total_pages ? [element('button', { type: 'button', onclick: next }, say('list.more'))] : []),
    )
    return found
  }
  const found = await show(1)
  return element(
    'div',
    { class: 'finding' },
    element('p', { class: 'back' }, element('a', { href: '#/' }, say('frame.toRecordings'))),
    element('h1', {}, say('find.title')),
    findBox(query),
    element('p', { class: 'quiet', role: 'status' }, sentence(found)),
    list,
    more,
  )
}

function sentence({ total, query, files_left_out: leftOut = 0 }) {
  const places = total === 0 ? say('find.nowhere', { query }) : say('find.places', { query, count: total })
  return leftOut > 0 ? `${places} ${say('find.leftOut', { count: leftOut })}` : places
}

function placeNode({ file_id: id, filename, start, snippet }) {
  return element(
    'li',
    {},
    element(
      'a',
      { href: `#/file/${id}/${start}` },
      element('span', { class: 'found-file' }, filename),
      ' ',
      element('span', { class: 'number quiet' }, clock(start)),
    ),
    element('p', {}, snippet),
  )
}

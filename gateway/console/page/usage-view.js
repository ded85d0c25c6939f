import { read } from './api.js'
import { element } from './element.js'
import { about, percent, sizeOf } from './format.js'
import { dateFormat, numberFormat } from './intl.js'
import { say } from './say.js'

/** What somebody has stored and had transcribed, by day and of what they may. */
export async function usageView(signal) {
  const { stored, today, days, is_complete: isComplete } = await read('/usage', { signal })
  return element(
    'section',
    { class: 'usage' },
    element('h1', {}, say('usage.title')),
    element(
      'div',
      { class: 'amounts' },
      amount('usage.today', { used: today.audio_seconds, most: today.max_audio_seconds, show: about }),
      amount('usage.bytes', { used: stored.bytes, most: stored.max_bytes, show: sizeOf }),
      amount('usage.files', { used: stored.files, most: stored.max_files, show: (one) => numberFormat().format(one) }),
    ),
    element('p', { class: 'quiet' }, say('usage.counted')),
    element('h2', {}, say('usage.days')),
    days.length === 0 ? element('p', { class: 'quiet' }, say('usage.none')) : table(days),
    element('p', { class: 'quiet' }, say('usage.daysCounted')),
    !isComplete && element('p', { class: 'quiet' }, say('usage.incomplete')),
  )
}

function amount(key, { used, most, show }) {
  const title = say(key)
  const part = most === undefined ? undefined : Math.min(1, used / most)
  return element(
    'section',
    { class: 'card', 'aria-label': title },
    element('h2', {}, title),
    element('p', { class: 'amount' }, used === 0 ? say('usage.nothing') : show(used)),
    part !== undefined &&
      element('progress', { value: part, max: 1, 'aria-label': say('usage.part', { what: title }) }),
    element(
      'p',
      { class: 'quiet' },
      part === undefined ? say('usage.noLimit') : say('usage.ofMost', { part: percent(part), most: show(most) }),
    ),
  )
}

function table(days) {
  const longest = Math.max(...days.map(({ audio_seconds: seconds }) => seconds))
  const heads = ['usage.day', 'usage.audio', 'usage.recordings', 'usage.batches', 'usage.sessions']
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...heads.map((key) => element('th', { scope: 'col' }, say(key))))),
    element('tbody', {}, ...days.map((day) => row(day, longest))),
  )
}

function row({ date, batches, files, audio_seconds: seconds, sessions, session_seconds: talked }, longest) {
  const day = dateFormat({ day: 'numeric', month: 'short', weekday: 'short', timeZone: 'UTC' }).format(new Date(date))
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, day),
    element(
      'td',
      {},
      element('progress', { value: longest === 0 ? 0 : seconds / longest, max: 1, 'aria-hidden': 'true' }),
      seconds > 0 && ` ${about(seconds)}`,
    ),
    element('td', { class: 'number' }, numberFormat().format(files)),
    element('td', { class: 'number' }, numberFormat().format(batches)),
    element('td', {}, sessions === 0 ? '' : `${numberFormat().format(sessions)} · ${about(talked)}`),
  )
}

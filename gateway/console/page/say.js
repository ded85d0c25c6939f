import { currentTexts } from './interface-language.js'
import { numberFormat, pluralRules } from './intl.js'

/**
 * What the page says to people: the text of a key in `words/`, with `{name}` replaced by the value of that name. A text with
 * several forms is said in the one for the value `count`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  return sayAround(key, values).map(String).join('')
}

/**
 * The same in pieces, for texts with elements in them.
 * @param {string} key
 * @param {Record<string, string | number | Node>} values
 * @returns {(string | Node)[]}
 */
export function sayAround(key, values) {
  return formOf(key, values)
    .split(/\{(\w+)\}/)
    .map((piece, at) => (at % 2 === 0 ? piece : shown(values[piece], `${key}: ${piece}`)))
}

function formOf(key, { count }) {
  const text = currentTexts()[key]
  if (text === undefined) throw new Error(`There is no text ${key}.`)
  return typeof text === 'string' ? text : text[pluralRules().select(count)]
}

function shown(value, place) {
  if (value === undefined) throw new Error(`No value for ${place}.`)
  return typeof value === 'number' ? numberFormat().format(value) : value
}

import { locale } from './interface-language.js'

/** What writes numbers, dates and plurals in the language of the page. To make one takes far longer than to use it, so each is kept. */
const made = new Map()

export function numberFormat(options = {}) {
  return kept('NumberFormat', options)
}

export function dateFormat(options) {
  return kept('DateTimeFormat', options)
}

export function relativeFormat(options) {
  return kept('RelativeTimeFormat', options)
}

export function displayNames(options) {
  return kept('DisplayNames', options)
}

export function pluralRules() {
  return kept('PluralRules', {})
}

function kept(kind, options) {
  const key = `${kind} ${locale()} ${JSON.stringify(options)}`
  const one = made.get(key) ?? new Intl[kind](locale(), options)
  made.set(key, one)
  return one
}

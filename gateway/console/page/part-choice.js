import { element } from './element.js'
import { clock } from './format.js'
import { say } from './say.js'

const seconds = /^(\d{1,7}(?:[.,]\d{1,3})?)$/
const clockTime = /^(?:(\d{1,3}):)?(\d{1,2}):([0-5]\d(?:[.,]\d{1,3})?)$/

/** Only a part of each recording. All of it unless somebody says so. */
export function partChoice() {
  const from = timeField('option-from', say('options.from'), 90)
  const to = timeField('option-to', say('options.to'), 120)
  return {
    nodes: [from.node, to.node],
    /** The field and what is wrong with it. */
    complaint() {
      for (const { field } of [from, to])
        if (field.value.trim() !== '' && secondsIn(field.value) === undefined)
          return { field, text: say('options.wrongTime', { text: field.value.trim() }) }
      const { start = 0, end = Infinity } = partOf(from.field, to.field)
      return end > start ? undefined : { field: to.field, text: say('options.noPart') }
    },
    value: () => partOf(from.field, to.field),
  }
}

function partOf(from, to) {
  const [start, end] = [secondsIn(from.value), secondsIn(to.value)]
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
}

/**
 * What `1:02:03`, `1:30` or `90.5` means; undefined when it means nothing.
 * @param {string} written
 */
export function secondsIn(written) {
  const text = written.trim()
  const [, alone] = seconds.exec(text) ?? []
  if (alone !== undefined) return numberIn(alone)
  const [whole, hours = '0', minutes, rest] = clockTime.exec(text) ?? []
  return whole === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + numberIn(rest)
}

function numberIn(text) {
  return Number(text.replace(',', '.'))
}

/** What was transcribed of a recording, where that is not all of it. */
export function partText({ start, end }) {
  if (start === undefined && end === undefined) return ''
  if (end === undefined) return say('file.partFrom', { start: clock(start) })
  return say('file.part', { start: clock(start ?? 0), end: clock(end) })
}

function timeField(id, label, exampleSeconds) {
  const field = element('input', { id, type: 'text', placeholder: clock(exampleSeconds), autocomplete: 'off' })
  return { field, node: element('div', {}, element('label', { for: id }, label), field) }
}

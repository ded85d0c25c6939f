import { element, drawing } from './element.js'
import { say } from './say.js'

/** Where the time went, from the end of speech to the first sound of the answer: a bar for each turn, a part for each stage. */
const stages = [
  ['vad_ms', 'pause', 'talk.pause'],
  ['asr_ms', 'hearing', 'talk.hearing'],
  ['llm_ttft_ms', 'thinking', 'talk.thinking'],
  ['tts_ttfb_ms', 'voice', 'talk.speaking'],
]
const turnsShown = 8
const barWidth = 300
const barHeight = 12

export function openLatency(list) {
  const turns = []
  const show = () => {
    // all bars to one scale, so that the longest fills the width
    const longestMs = Math.max(1, ...turns.map((turn) => turn.sumMs))
    list.replaceChildren(...turns.map((turn) => row(turn, longestMs)))
  }
  return {
    add(metrics) {
      const parts = stages
        .map(([field, name, key]) => ({ name, key, ms: metrics[field] }))
        .filter(({ ms }) => typeof ms === 'number' && ms >= 0)
      if (parts.length === 0) return
      const sumMs = parts.reduce((sum, { ms }) => sum + ms, 0)
      turns.push({ parts, sumMs, wholeMs: metrics.voice_to_voice_ms ?? sumMs })
      if (turns.length > turnsShown) turns.shift()
      show()
    },
    again: show,
  }
}

function row({ parts, wholeMs }, longestMs) {
  const stagesSaid = parts.map(({ key, ms }) => say('talk.stage', { stage: say(key), ms: String(ms) })).join(', ')
  const words = say('talk.stages', { stages: stagesSaid, ms: String(wholeMs) })
  return element(
    'li',
    {},
    bar(parts, longestMs, words),
    element('span', {}, say('talk.whole', { ms: String(wholeMs) })),
  )
}

function bar(parts, longestMs, words) {
  const viewBox = `0 0 ${barWidth} ${barHeight}`
  const svg = drawing('svg', { viewBox, role: 'img', 'aria-label': words }, drawing('title', {}, words))
  let at = 0
  for (const { name, ms } of parts) {
    const width = (ms / longestMs) * barWidth
    svg.append(drawing('rect', { x: at, y: 0, width, height: barHeight, class: `stage-${name}` }))
    at += width
  }
  return svg
}

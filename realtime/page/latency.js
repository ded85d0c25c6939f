/** Where the time went, from the end of speech to the first sound of the answer: a bar for each turn, a part for each stage. */
const stages = [
  ['vad_ms', 'pause'],
  ['asr_ms', 'hearing'],
  ['llm_ttft_ms', 'thinking'],
  ['tts_ttfb_ms', 'voice'],
]
const turnsShown = 8
const barWidth = 300
const barHeight = 12
const namespace = 'http://www.w3.org/2000/svg'

export function openLatency(list) {
  const turns = []
  return {
    add(metrics) {
      const parts = stages
        .map(([field, name]) => ({ name, ms: metrics[field] }))
        .filter(({ ms }) => typeof ms === 'number' && ms >= 0)
      if (parts.length === 0) return
      const sumMs = parts.reduce((sum, { ms }) => sum + ms, 0)
      turns.push({ parts, sumMs, wholeMs: metrics.voice_to_voice_ms ?? sumMs })
      if (turns.length > turnsShown) turns.shift()
      // all bars to one scale, so that the longest fills the width
      const longestMs = Math.max(1, ...turns.map((turn) => turn.sumMs))
      list.replaceChildren(...turns.map((turn) => row(turn, longestMs)))
    },
  }
}

function row({ parts, wholeMs }, longestMs) {
  const line = document.createElement('li')
  const words = parts.map(({ name, ms }) => `${name} ${ms} ms`).join(', ')
  const total = document.createElement('span')
  total.textContent = `${wholeMs} ms`
  line.append(bar(parts, longestMs, `${words}; in all ${wholeMs} ms`), total)
  return line
}

function bar(parts, longestMs, words) {
  const svg = drawn('svg', { viewBox: `0 0 ${barWidth} ${barHeight}`, role: 'img', 'aria-label': words })
  svg.append(Object.assign(drawn('title', {}), { textContent: words }))
  let at = 0
  for (const { name, ms } of parts) {
    const width = (ms / longestMs) * barWidth
    svg.append(drawn('rect', { x: at, y: 0, width, height: barHeight, class: `stage-${name}` }))
    at += width
  }
  return svg
}

function drawn(name, attributes) {
  const made = document.createElementNS(namespace, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  return made
}

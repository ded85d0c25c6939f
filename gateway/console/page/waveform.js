import { drawing } from './element.js'
import { spanAt } from './word-index.js'
import { voiceClass, voicesOf } from './transcript.js'

/** Units of the picture: across they are points of the waveform. */
const height = 60
const lane = 5
/** What is hardly heard is seen as a line. */
const leastBar = 2
const quietest = 20
const pauseSeconds = 0.7

/**
 * How loud a recording is, in the colours of who speaks, with the languages below. Those who listen to the page have the slider instead.
 * @param {{ seconds_per_point: number, levels: number[] }} loudness
 * @param {(seconds: number) => void} onJump
 */
export function waveform({ seconds_per_point: step, levels }, onJump) {
  const across = levels.length
  const bars = drawing('g', { class: 'bars' })
  const languages = drawing('g', { class: 'languages' })
  const played = drawing('rect', { class: 'played', x: 0, y: 0, width: 0, height: height + lane })
  const node = drawing(
    'svg',
    {
      class: 'waveform',
      viewBox: `0 0 ${across} ${height + lane}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    played,
    bars,
    languages,
  )
  node.addEventListener('click', ({ clientX }) => {
    const { left, width } = node.getBoundingClientRect()
    onJump(((clientX - left) / width) * across * step)
  })
  return {
    node,
    /** Again when speakers were named or merged. */
    paint(result) {
      bars.replaceChildren(...voiceBars(result, { step, levels }))
      languages.replaceChildren(...languageSpans(result, step))
    },
    at: (seconds) => played.setAttribute('width', String(Math.min(across, seconds / step))),
  }
}

/** One shape for each voice, and one for the time when nobody speaks. */
function voiceBars(result, { step, levels }) {
  const voices = voicesOf(result)
  const most = Math.max(quietest, ...levels)
  const shapes = new Map()
  for (const [at, level] of levels.entries()) {
    const segment = result.segments[spanAt(result.segments, (at + 0.5) * step)]
    const name = segment ? voiceClass(voices.indexOf(voicesOf({ segments: [segment] })[0])) : 'nobody'
    const half = Math.max(leastBar, (level / most) * height) / 2
    const bar = `M${at} ${round(height / 2 - half)}h0.8v${round(2 * half)}h-0.8z`
    shapes.set(name, (shapes.get(name) ?? '') + bar)
  }
  return [...shapes].map(([name, d]) => drawing('path', { class: name, d }))
}

/** Neighbouring words of one language are one stripe, as long as nobody pauses. */
function languageSpans({ segments }, step) {
  const spans = []
  for (const { language, start, end } of segments.flatMap(({ words }) => words)) {
    if (language === 'und') continue
    const last = spans.at(-1)
    if (last?.language === language && start - last.end < pauseSeconds) last.end = end
    else spans.push({ language, start, end })
  }
  return spans.map(({ language, start, end }) =>
    drawing('rect', {
      class: `in-${language}`,
      x: round(start / step),
      y: height,
      width: round(Math.max(0, end - start) / step),
      height: lane,
    }),
  )
}

function round(value) {
  return Math.round(value * 100) / 100
}

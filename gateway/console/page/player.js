import { audioSource } from './audio-source.js'
import { element } from './element.js'
import { clock, percent, sizeOf } from './format.js'
import { loopButton } from './loop.js'
import { say } from './say.js'
import { waveform } from './waveform.js'

const speeds = ['0.75', '1', '1.25', '1.5', '2']
const stepSeconds = 5
/** More than this is fetched only when somebody wants to hear it. */
const unaskedBytesMax = 200_000_000

/**
 * Plays a recording, with a picture of it where its loudness is known. `onTime` is told where it is, as often as the screen is painted.
 * @param {{ path: string, seconds: number, loudness?: { seconds_per_point: number, levels: number[] }, onTime: (seconds: number, isPlaying: boolean) => void, signal: AbortSignal }} of
 */
export function player({ path, seconds, loudness, onTime, signal }) {
  const audio = element('audio', { preload: 'auto' })
  const { play, place, now, speed, remark } = controls(seconds)
  const tell = () => {
    place.value = String(audio.currentTime)
    place.setAttribute('aria-valuetext', clock(audio.currentTime))
    now.textContent = clock(audio.currentTime)
    picture?.at(audio.currentTime)
    onTime(audio.currentTime, !audio.paused)
  }
  const jump = (to) => {
    audio.currentTime = Math.max(0, Math.min(to, audio.duration || seconds))
    tell()
  }
  const start = () => void audio.play().catch(() => undefined)
  const toggle = () => (audio.paused ? start() : audio.pause())
  const picture = loudness?.levels.length > 0 ? waveform(loudness, jump) : undefined
  const loop = loopButton(audio, { jump, start })
  const total = element('span', { class: 'number quiet total' }, clock(seconds))
  const parts = [picture?.node, play, now, place, total, speed, loop.node, remark, audio]
  play.addEventListener('click', toggle)
  place.addEventListener('input', () => jump(Number(place.value)))
  speed.addEventListener('change', () => (audio.playbackRate = Number(speed.value)))
  paintWith(audio, play, () => loop.turnedBack() || tell())
  signal.addEventListener('abort', () => audio.pause(), { once: true })
  void load(audio, { path, signal, play, place, remark })
  return {
    node: element('div', { class: 'player', role: 'group', 'aria-label': say('player.label') }, ...parts),
    toggle,
    /** What is said in it, for the picture and for the sentence that is played again and again. */
    know: (result) => {
      picture?.paint(result)
      loop.know(result.segments)
    },
    loop: loop.toggle,
    now: () => audio.currentTime,
    goTo: jump,
    back: () => jump(audio.currentTime - stepSeconds),
    forth: () => jump(audio.currentTime + stepSeconds),
    playFrom: (to) => {
      loop.moveTo(to)
      jump(to)
      if (audio.src) start()
    },
  }
}

function controls(seconds) {
  return {
    play: element('button', { type: 'button', class: 'play', 'aria-label': say('player.play'), disabled: true }, '▶'),
    place: element('input', {
      type: 'range',
      min: '0',
      max: String(seconds),
      step: '0.1',
      value: '0',
      'aria-label': say('player.place'),
    }),
    now: element('span', { class: 'number' }, clock(0)),
    speed: speedChoice(),
    remark: element('span', { class: 'quiet remark', role: 'status' }, say('player.loading')),
  }
}

function speedChoice() {
  const options = speeds.map((value) => element('option', { value, selected: value === '1' }, `${value}×`))
  return element('select', { 'aria-label': say('player.speed') }, ...options)
}

function paintWith(audio, play, tell) {
  const frame = () => {
    tell()
    if (!audio.paused) requestAnimationFrame(frame)
  }
  audio.addEventListener('play', () => {
    play.textContent = '❚❚'
    play.setAttribute('aria-label', say('player.pause'))
    requestAnimationFrame(frame)
  })
  audio.addEventListener('pause', () => {
    play.textContent = '▶'
    play.setAttribute('aria-label', say('player.play'))
    tell()
  })
  audio.addEventListener('seeked', tell)
}

async function load(audio, { path, signal, play, place, remark }) {
  const onProgress = (part) =>
    part === undefined || (remark.textContent = `${say('player.loading')} ${percent(Math.floor(part * 100) / 100)}`)
  audio.addEventListener('loadedmetadata', () => {
    if (Number.isFinite(audio.duration)) place.max = String(audio.duration)
    play.disabled = false
    remark.textContent = ''
  })
  audio.addEventListener('error', () => {
    if (audio.src) remark.textContent = say('player.unplayable')
  })
  const fetchSound = async (maxBytes) => {
    try {
      const source = await audioSource(path, { signal, onProgress, maxBytes })
      if ('url' in source) audio.src = source.url
      else remark.replaceChildren(offer(source.sizeBytes, () => void fetchSound(Number.POSITIVE_INFINITY)))
    } catch (error) {
      if (signal.aborted) return
      remark.textContent = error.status === 404 ? say('player.notKept') : error.message
    }
  }
  await fetchSound(unaskedBytesMax)
}

function offer(sizeBytes, onTaken) {
  return element('button', { type: 'button', onclick: onTaken }, say('player.load', { size: sizeOf(sizeBytes) }))
}

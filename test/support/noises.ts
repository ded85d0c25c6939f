/** Sounds that nobody speaks in, each a few seconds at 16 kHz. Deterministic: the same noise in every run. */

const rate = 16_000
const seconds = 6
const length = rate * seconds

type Audio = (index: number) => number

export const noises: Readonly<Record<string, () => Float32Array>> = {
  'digital silence': () => new Float32Array(length),
  'silence with an offset': () => drawn(() => 0.02),
  'faint hiss': () => drawn(scaled(0.002, white(1))),
  'white noise': () => drawn(scaled(0.2, white(2))),
  'loud white noise': () => drawn(scaled(0.9, white(3))),
  'pink noise': () => drawn(scaled(0.3, pink(4))),
  'brown noise': () => drawn(scaled(0.5, brown(5))),
  'noise in bursts': () => drawn((i) => (Math.floor(i / 4000) % 2 === 0 ? scaled(0.4, white(6))(i) : 0)),
  'mains hum': () => drawn((i) => 0.3 * sine(50)(i) + 0.15 * sine(150)(i) + 0.05 * sine(250)(i)),
  'a tone of 440 Hz': () => drawn(scaled(0.4, sine(440))),
  'a tone of 200 Hz': () => drawn(scaled(0.4, sine(200))),
  'a tone of 3 kHz': () => drawn(scaled(0.4, sine(3000))),
  'a square wave': () => drawn((i) => 0.3 * Math.sign(sine(220)(i))),
  'a rising chirp': () => drawn((i) => 0.4 * Math.sin(2 * Math.PI * (100 * (i / rate) + (300 * (i / rate) ** 2) / 2))),
  'a dial tone': () => drawn((i) => 0.3 * sine(350)(i) + 0.3 * sine(440)(i)),
  'a ringing telephone': () => drawn((i) => (i % (3 * rate) < rate ? 0.3 * sine(440)(i) + 0.3 * sine(480)(i) : 0)),
  'touch tones': () => drawn((i) => (i % 4000 < 2000 ? 0.3 * sine(770)(i) + 0.3 * sine(1336)(i) : 0)),
  'a major chord': () => drawn((i) => 0.2 * (sine(262)(i) + sine(330)(i) + sine(392)(i))),
  'a scale of plucked notes': () => drawn(plucked),
  'a metronome': () => drawn((i) => (i % (rate / 2) < 80 ? 0.8 : 0)),
  'rain of clicks': () => drawn(clicks(7)),
  'a siren': () =>
    drawn((i) => 0.4 * Math.sin((2 * Math.PI * 700 * i) / rate + 80 * Math.sin((2 * Math.PI * 0.5 * i) / rate))),
}

function drawn(audio: Audio): Float32Array {
  return Float32Array.from({ length }, (_, index) => audio(index))
}

function sine(hz: number): Audio {
  return (i) => Math.sin((2 * Math.PI * hz * i) / rate)
}

function scaled(by: number, audio: Audio): Audio {
  return (i) => by * audio(i)
}

function white(seed: number): Audio {
  const next = random(seed)
  return () => 2 * next() - 1
}

function pink(seed: number): Audio {
  const source = white(seed)
  const rows = new Float64Array(8)
  return (i) => {
    for (let row = 0; row < rows.length; row += 1) if (i % 2 ** row === 0) rows[row] = source(i)
    return rows.reduce((sum, row) => sum + row, 0) / rows.length
  }
}

function brown(seed: number): Audio {
  const source = white(seed)
  let level = 0
  return (i) => (level = 0.995 * level + 0.05 * source(i))
}

function plucked(i: number): number {
  const scale = [262, 294, 330, 349, 392, 440, 494, 523]
  const note = Math.floor(i / 6000)
  const age = (i % 6000) / rate
  return 0.5 * Math.exp(-6 * age) * sine(scale[note % scale.length]!)(i % 6000)
}

function clicks(seed: number): Audio {
  const next = random(seed)
  return () => (next() < 0.002 ? 2 * next() - 1 : 0)
}

/** Mulberry32. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { cepstralFramesOf } from '../../infra/speech/analysis/cepstrum.ts'
import { laughingTags } from '../../infra/speech/analysis/laughing.ts'
import { pauseTags } from '../../infra/speech/analysis/pauses.ts'
import { shoutingTags, voicedWindowsOf } from '../../infra/speech/analysis/shouting.ts'
import { speakersOf, voiceOf } from '../../infra/speech/analysis/speakers.ts'
import { decodeAll } from '../support/decode-all.ts'
import { aRandom } from '../support/samples.ts'
import { aLaugh, aRecording, louder, plainWords, shouted, voicesIn } from '../support/voices.ts'
import type { LabelledSpan, VoicePart } from '../support/voices.ts'
import { agreement } from './agreement.ts'
import { shuffled } from './shuffled.ts'
import { machine, printTable } from './table.ts'

type Row = Record<string, string | number>
type Voices = ReadonlyMap<string, readonly Float32Array[]>

/**
 * Precision and recall of the expressive tags and of the speakers, on recordings built from voices and synthetic sound:
 * `npm run bench -- analysis [--voices FOLDER] [--laughter FOLDER]`. Voices are files named SPEAKER-NUMBER, five speakers or
 * more with two or more each; our own neural ones when none are given.
 */
export async function analysis(words: readonly string[]): Promise<void> {
  const options = { voices: { type: 'string' }, laughter: { type: 'string' } } as const
  const { voices: folder, laughter } = parseArgs({ args: [...words], options }).values
  const voices = await voicesIn(folder)
  printTable(`Expressive tags (${machine()})`, [shouting(voices), ...(await laughing(voices, laughter)), pauses()])
  printTable('Speakers, turns of 2.5 s', speakers(voices))
}

/** Each speaker: usual clips, one raised by some semitones, one only nearer to the microphone. */
function shouting(voices: Voices): Row {
  const tally = aTally()
  for (const clips of voices.values()) {
    for (const semitones of [3, 4, 5, 7]) {
      const [first, second] = [clips[0]!, clips[1]!]
      const { samples, spans } = aRecording([
        { samples: first, label: 'speech' },
        { samples: shouted(second, semitones), label: 'shouting' },
        { samples: clips[2] ?? first, label: 'speech' },
        { samples: louder(second, 3), label: 'speech' },
      ])
      const { prosody } = cepstralFramesOf(samples)
      const parts = spans.map((span) => ({ speaker: 'one', windows: voicedWindowsOf(prosody, span) }))
      tally.count(spans, shoutingTags(parts), 'shouting')
    }
  }
  return { what: 'shouting (the voices, raised by us)', ...tally.figures() }
}

async function laughing(voices: Voices, folder: string | undefined): Promise<Row[]> {
  const tally = aTally()
  const clips = Array.from(voices.values()).flat()
  clips.forEach((clip, at) => {
    const parts = [
      { samples: clip, label: 'speech' },
      { samples: louder(aLaugh(100 + at), 0.4), label: 'laughing' },
    ]
    countLaughs(parts, tally)
  })
  const synthetic = { what: 'laughing (synthetic, after speech)', ...tally.figures() }
  if (folder === undefined) return [synthetic]
  const real = aTally()
  const laughs = await decodeAll(readdirSync(folder).map((name) => join(folder, name)))
  laughs.forEach((samples, at) => {
    const clip = clips[at % clips.length]!
    countLaughs(
      [
        { samples: clip, label: 'speech' },
        { samples, label: 'laughing' },
      ],
      real,
    )
  })
  return [synthetic, { what: `laughing (${laughs.length} real files, after speech)`, ...real.figures() }]
}

function countLaughs(parts: readonly VoicePart[], tally: Tally): void {
  const { samples, spans } = aRecording(parts)
  const words = spans.filter(({ label }) => label === 'speech').flatMap(plainWords)
  tally.count(spans, laughingTags(cepstralFramesOf(samples), words), 'laughing')
}

/** The rule on known gaps; how well voice activity finds the gaps is measured with it. */
function pauses(): Row {
  const tally = aTally()
  const random = aRandom(4)
  let at = 0
  const speech: LabelledSpan[] = []
  const gaps: LabelledSpan[] = []
  for (let turn = 0; turn < 200; turn += 1) {
    const end = at + 1 + 4 * random()
    const gap = 4 * random()
    speech.push({ start: at, end, label: random() < 0.7 ? 'one' : 'two' })
    gaps.push({ start: end, end: end + gap, label: 'gap' })
    at = end + gap
  }
  const truth = gaps.map((gap, turn): LabelledSpan => {
    const goesOn = speech[turn]!.label === speech[turn + 1]?.label
    return gap.end - gap.start >= 2 && goesOn ? { ...gap, label: 'pause' } : gap
  })
  const spoken = speech.map((span) => ({ ...span, speaker: span.label }))
  tally.count(truth, pauseTags(speech, spoken), 'pause')
  return { what: 'pause (rule on known gaps)', ...tally.figures() }
}

function speakers(voices: Voices): Row[] {
  const rows: Row[] = []
  const random = aRandom(11)
  const names = Array.from(voices.keys())
  for (const count of [1, 2, 3, 4, 5]) {
    let right = 0
    let total = 0
    let exact = 0
    const trials = 5
    for (let trial = 0; trial < trials; trial += 1) {
      const chosen = shuffled(names, random).slice(0, count)
      const turns = shuffled(
        chosen.flatMap((label) => voices.get(label)!.flatMap((clip) => turnsOf(clip, label))),
        random,
      )
      const { samples, spans } = aRecording(turns)
      const audio = cepstralFramesOf(samples)
      const guesses = speakersOf(spans.map((span) => voiceOf(audio, span))).map(({ speaker }) => speaker)
      right +=
        spans.length * agreement(spans.map(({ label }, at) => ({ truth: label, guess: guesses[at]!, weight: 1 })))
      total += spans.length
      exact += new Set(guesses).size === count ? 1 : 0
    }
    rows.push({
      what: `speakers (${count})`,
      items: total,
      'right %': percent(right, total),
      'number found': `${exact} of ${trials}`,
    })
  }
  return rows
}

interface Tally {
  count(truth: readonly LabelledSpan[], found: readonly { start: number; end: number }[], label: string): void
  figures(): Record<string, number>
}

/** A tag is right when it lies mostly in a span of its kind; a span is found when a tag lies in it. */
function aTally(): Tally {
  let tags = 0
  let rightTags = 0
  let spans = 0
  let foundSpans = 0
  const inside = (tag: { start: number; end: number }, span: LabelledSpan): boolean =>
    Math.min(tag.end, span.end) - Math.max(tag.start, span.start) > 0.5 * (tag.end - tag.start)
  return {
    count(truth, found, label) {
      const wanted = truth.filter((span) => span.label === label)
      tags += found.length
      spans += wanted.length
      rightTags += found.filter((tag) => wanted.some((span) => inside(tag, span))).length
      foundSpans += wanted.filter((span) => found.some((tag) => inside(tag, span))).length
    },
    figures: () => ({ items: spans, 'precision %': percent(rightTags, tags), 'recall %': percent(foundSpans, spans) }),
  }
}

function turnsOf(clip: Float32Array, label: string): VoicePart[] {
  const length = 40_000
  return Array.from({ length: Math.floor(clip.length / length) }, (_, index) => ({
    samples: clip.subarray(index * length, (index + 1) * length),
    label,
  }))
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.round((1_000 * part) / whole) / 10
}

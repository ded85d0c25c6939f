import test from 'ava'

import { cepstralFramesOf } from '../../../infra/speech/analysis/cepstrum.ts'
import { laughingTags } from '../../../infra/speech/analysis/laughing.ts'
import { measureChunk } from '../../../infra/speech/analysis/measure.ts'
import { prosodyOf, summariseProsody } from '../../../infra/speech/analysis/prosody.ts'
import { shoutingTags, voicedWindowsOf } from '../../../infra/speech/analysis/shouting.ts'
import { speakersOf, voiceOf } from '../../../infra/speech/analysis/speakers.ts'
import { analyseFile } from '../../../infra/speech/analysis/speech-information.ts'
import { aLaugh, aRecording, louder, plainWords, voicesIn, shouted } from '../../support/voices.ts'

const voices = await voicesIn()

test('the voices speak two to seven syllables a second', (t) => {
  for (const clip of Array.from(voices.values()).flat()) {
    const { syllablesPerSecond, pitchHz } = summariseProsody(prosodyOf(clip), { start: 0, end: clip.length / 16_000 })
    t.true(syllablesPerSecond > 1.5 && syllablesPerSecond < 7, `${syllablesPerSecond}`)
    t.true(pitchHz !== null && pitchHz > 70 && pitchHz < 320, `${pitchHz}`)
  }
})

test('a raised voice is shouting, a nearer microphone is not', (t) => {
  for (const [speaker, clips] of voices) {
    const raised = shoutsIn([clips[0]!, shouted(clips[1]!), clips[0]!])
    t.true(raised.length > 0, `${speaker} shouts`)
    t.true(raised.every(({ start, end }) => start > clips[0]!.length / 16_000 - 0.5 && end < 30))
    t.deepEqual(shoutsIn([clips[0]!, louder(clips[1]!, 4), clips[0]!]), [], `${speaker} is only nearer`)
  }
})

test('too little of a voice is nothing to compare with', (t) => {
  const clip = shouted(voices.get('arjun')![0]!).subarray(0, 24_000)
  t.deepEqual(shoutsIn([clip]), [])
})

test('laughter is found, and where it is', (t) => {
  const speech = voices.get('kabir')![0]!
  const found = Array.from({ length: 10 }, (_, seed) => {
    const { samples, spans } = aRecording([
      { samples: speech, label: 'speech' },
      { samples: aLaugh(seed + 1), label: 'laughing' },
    ])
    const tags = laughingTags(cepstralFramesOf(samples), plainWords(spans[0]!))
    return tags.some(({ start, end }) => start < spans[1]!.end && end > spans[1]!.start && start > spans[0]!.end - 0.5)
  })
  t.true(found.filter(Boolean).length >= 9)
})

test('speech that was recognised as words is not laughter', (t) => {
  const clips = Array.from(voices.values()).flat()
  const mistaken = clips.filter(
    (clip) => laughingTags(cepstralFramesOf(clip), plainWords({ start: 0, end: clip.length / 16_000 })).length > 0,
  )
  t.true(mistaken.length <= 1)
})

test('speakers are told apart and their number is found, in any order of turns', (t) => {
  const names = ['asha', 'kabir', 'vikram']
  const parts = names.flatMap((label) =>
    voices
      .get(label)!
      .slice(0, 2)
      .flatMap((clip) => turnsOf(clip, label)),
  )
  const { samples, spans } = aRecording(parts.sort((a, b) => (a.samples[100]! < b.samples[100]! ? -1 : 1)))
  const audio = cepstralFramesOf(samples)
  const guesses = speakersOf(spans.map((span) => voiceOf(audio, span)))
  t.is(new Set(guesses.map(({ speaker }) => speaker)).size, 3)
  t.is(guesses[0]!.speaker, 'speaker_1')
  const owners = new Map<string, Set<string>>()
  guesses.forEach(({ speaker }, at) => owners.set(speaker, (owners.get(speaker) ?? new Set()).add(spans[at]!.label)))
  t.true(Array.from(owners.values()).every((labels) => labels.size === 1))
})

test('one person is one speaker', (t) => {
  for (const [name, clips] of voices) {
    const { samples, spans } = aRecording(clips.slice(0, 2).flatMap((clip) => turnsOf(clip, name)))
    const audio = cepstralFramesOf(samples)
    t.is(new Set(speakersOf(spans.map((span) => voiceOf(audio, span))).map(({ speaker }) => speaker)).size, 1, name)
  }
})

test('chunks that were measured apart make one analysis, through JSON', (t) => {
  const [first, second] = [voices.get('kabir')![0]!, voices.get('asha')![0]!]
  const chunks = [first, second].map((samples, at) =>
    measureChunk({ samples, startSeconds: at * 20 }, [{ start: 0, end: samples.length / 16_000 }], []),
  )
  const languages = [
    { language: 'hi', words: ['hi', 'hi'] },
    { language: 'en', words: ['en'] },
  ]
  const speech = chunks.flatMap(({ segments }) => segments)
  const analysis = analyseFile(JSON.parse(JSON.stringify(chunks)) as typeof chunks, languages, { speech })
  t.deepEqual(
    analysis.segments.map(({ speaker }) => speaker.speaker),
    ['speaker_1', 'speaker_2'],
  )
  t.is(analysis.segments[1]!.timestamps.start, 20)
  t.deepEqual(
    analysis.tags.map(({ type }) => type),
    ['pause'],
  )
})

function shoutsIn(clips: readonly Float32Array[]): readonly { start: number; end: number }[] {
  const { samples, spans } = aRecording(clips.map((clip) => ({ samples: clip, label: '' })))
  const prosody = prosodyOf(samples)
  return shoutingTags(spans.map((span) => ({ speaker: 'one', windows: voicedWindowsOf(prosody, span) })))
}

function turnsOf(clip: Float32Array, label: string): { samples: Float32Array; label: string }[] {
  const half = Math.floor(clip.length / 2)
  return [clip.subarray(0, half), clip.subarray(half)].map((samples) => ({ samples, label }))
}

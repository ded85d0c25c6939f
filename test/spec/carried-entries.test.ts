import test from 'ava'

import { carriedEntries } from '../../actors/edit/carried-entries.ts'
import { layOver } from '../../actors/edit/lay-over.ts'
import type { Entries, WrittenTranscript } from '../../actors/edit/state.ts'
import { writing } from '../../infra/speech/formats/writing.ts'

/** Each sentence of words, a second each; a new sentence begins where the last one ended. */
function said(sentences: readonly string[], speakers: readonly string[] = []): WrittenTranscript {
  let at = 0
  const segments = sentences.map((sentence, index) => {
    const words = sentence.split(' ').map((text) => {
      const start = at
      at += 1
      return { word: text, punctuated_word: text, start, end: at, language: 'en', confidence: 0.5 }
    })
    const [start, end] = [words[0]!.start, words.at(-1)!.end]
    return {
      start,
      end,
      text: sentence,
      language: 'en',
      confidence: 1,
      words,
      tags: [],
      model: 'm',
      speech_information: {
        timestamps: { start, end },
        speaker_id: speakers[index] ?? 'speaker-1',
        speaker_confidence: 1,
        loudness_db: 0,
        pitch_hz: null,
        syllables_per_second: 1,
      },
    }
  })
  const result = {
    text: sentences.join(' '),
    language: 'en',
    languages: [],
    duration_seconds: at,
    segments,
    model: 'm',
    script: 'mixed' as const,
    warnings: [],
  }
  return { result }
}

const carried = (before: WrittenTranscript, entries: Entries, after: WrittenTranscript) => {
  const kept = carriedEntries({ before, entries, after })
  return { kept, text: layOver(after, kept, writing).result.text }
}

const corrected: Entries = { 'segment.0': { type: 'segment', words: [0, ['Meera', 1, 2, 'en'], 2] } }

test('what a person wrote holds, and what was transcribed anew elsewhere stays', (t) => {
  const before = said(['hello mera here', 'then mera left'])
  const { kept, text } = carried(before, corrected, said(['hello myrrh here', 'then Meera left']))
  t.is(text, 'hello Meera here then Meera left')
  t.deepEqual(Object.keys(kept), ['segment.0'])
})

test('where sentences are divided otherwise the words of a person are in their place all the same', (t) => {
  const before = said(['hello mera here', 'then mera left'])
  t.is(
    carried(before, corrected, said(['hello', 'myrrh here then', 'Meera left'])).text,
    'hello Meera here then Meera left',
  )
  t.is(carried(before, corrected, said(['hello myrrh here then Meera left'])).text, 'hello Meera here then Meera left')
})

test('what a person took out stays out', (t) => {
  const emptied: Entries = { 'segment.0': { type: 'segment', words: [] } }
  t.is(carried(said(['um um', 'then left']), emptied, said(['am am', 'then left'])).text, 'then left')
})

test('words that are recognised as a person wrote them keep what is known of them', (t) => {
  const { kept } = carried(said(['hello mera here']), corrected, said(['hello Meera here']))
  t.deepEqual(kept, {})
})

test('names, merged speakers and notes follow the voices, whatever these are called now', (t) => {
  const before = said(['one two', 'three four', 'five six'], ['speaker-1', 'speaker-2', 'speaker-3'])
  const after = said(['one two', 'three four', 'five six'], ['speaker-2', 'speaker-1', 'speaker-3'])
  const entries: Entries = {
    'name.speaker-1': { type: 'name', name: 'Asha' },
    'merged.speaker-3': { type: 'merged', into: 'speaker-1' },
    'note.1-0': { type: 'note', at: 1, text: 'ask' },
  }
  t.deepEqual(carried(before, entries, after).kept, {
    'name.speaker-2': { type: 'name', name: 'Asha' },
    'merged.speaker-3': { type: 'merged', into: 'speaker-2' },
    'note.1-0': { type: 'note', at: 1, text: 'ask' },
  })
})

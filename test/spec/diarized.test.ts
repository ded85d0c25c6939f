import test from 'ava'

import type { FileResult, Segment } from '../../actors/transcript/state.ts'
import { presentDiarized } from '../../gateway/compatible/present.ts'

function segment(text: string, speaker?: string): Segment {
  const heard = speaker === undefined ? {} : { speech_information: { speaker_id: speaker } }
  // as: of what was heard nothing but the speaker is looked at
  return { start: 1, end: 2, text, language: 'hi', confidence: 1, words: [], tags: [], model: 'm', ...heard } as Segment
}

function speakersOf(segments: readonly Segment[]): string[] {
  // as: the rest of a result is not looked at
  const result = { text: 'all', duration_seconds: 9, segments } as FileResult
  return presentDiarized(result).segments.map(({ speaker }) => speaker)
}

test('speakers are letters in the order in which they come, and none where nobody could tell', (t) => {
  const spoken = [segment('a', 'speaker_2'), segment('b', 'speaker_1'), segment('c'), segment('d', 'speaker_2')]
  t.deepEqual(speakersOf(spoken), ['A', 'B', '', 'A'])
})

test('after Z comes AA', (t) => {
  const many = Array.from({ length: 28 }, (_, speaker) => segment('x', String(speaker)))
  t.deepEqual(speakersOf(many).slice(-3), ['Z', 'AA', 'AB'])
})

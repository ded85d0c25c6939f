import test from 'ava'

import { shoutingTags } from '../../../infra/speech/analysis/shouting.ts'
import type { VoicedPart, VoicedWindow } from '../../../infra/speech/analysis/shouting.ts'

const calm = { loudnessDb: -30, pitchHz: 150, tiltDb: -12 }
const raised = { loudnessDb: -16, pitchHz: 220, tiltDb: -7 }

test('a voice that is raised within its turn is shouting, and where it is', (t) => {
  const tags = shoutingTags([
    said('one', { start: 0, seconds: 6 }, calm),
    said('one', { start: 7, seconds: 3 }, raised),
    said('one', { start: 11, seconds: 6 }, calm),
  ])
  t.is(tags.length, 1)
  t.true(tags[0]!.start >= 7 && tags[0]!.end <= 11)
})

test('a whole turn that differs is somebody else, not shouting', (t) => {
  const others = said('two', { start: 12, seconds: 6 }, calm)
  t.deepEqual(
    shoutingTags([
      said('one', { start: 0, seconds: 10 }, calm),
      others,
      said('one', { start: 20, seconds: 5 }, raised),
    ]),
    [],
  )
  t.deepEqual(
    shoutingTags([said('one', { start: 0, seconds: 10 }, calm), said('one', { start: 20, seconds: 5 }, raised)]),
    [],
    'after a silence',
  )
})

test('louder alone, higher alone or brighter alone is not shouting', (t) => {
  for (const cue of ['loudnessDb', 'pitchHz', 'tiltDb'] as const) {
    const half = { ...raised, [cue]: calm[cue] }
    t.deepEqual(
      shoutingTags([said('one', { start: 0, seconds: 6 }, calm), said('one', { start: 7, seconds: 3 }, half)]),
      [],
      `without ${cue}`,
    )
  }
})

test('a short emphasis is not shouting', (t) => {
  t.deepEqual(
    shoutingTags([
      said('one', { start: 0, seconds: 8 }, calm),
      said('one', { start: 8, seconds: 1 }, raised),
      said('one', { start: 9, seconds: 4 }, calm),
    ]),
    [],
  )
})

type How = Omit<VoicedWindow, 'start' | 'end'>

/** Windows as they are measured: 0.8 s long, five a second. */
function said(speaker: string, when: { start: number; seconds: number }, how: How): VoicedPart {
  const { start, seconds } = when
  const count = Math.round((seconds - 0.8) / 0.2) + 1
  return {
    speaker,
    windows: Array.from({ length: count }, (_, at) => ({
      ...how,
      start: start + 0.2 * at,
      end: start + 0.2 * at + 0.8,
    })),
  }
}

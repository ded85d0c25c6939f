import test from 'ava'
import * as fc from 'fast-check'

import { decide, isRefusal } from '../../actors/edit/decide.ts'
import { layOver } from '../../actors/edit/lay-over.ts'
import type { Change } from '../../actors/edit/protocol.ts'
import { notesOf } from '../../actors/edit/state.ts'
import type { Note } from '../../actors/edit/state.ts'
import type { FileResult } from '../../actors/transcript/state.ts'
import { writing } from '../../infra/speech/formats/writing.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'

interface Seen {
  readonly result: FileResult
  readonly notes: readonly Note[]
}

/** As it is served. */
const served = new URL('../../../gateway/console/page/foreseen.js', import.meta.url)
const { foreseen } = (await import(served.href)) as { foreseen: (seen: Seen, change: Change) => Seen }

const told = aToldTranscript(
  { text: 'my dada came home.', speaker: 'speaker-1' },
  { text: 'when did he come?', speaker: 'speaker-2' },
  { text: 'yesterday, my dear', speaker: 'speaker-3' },
  { text: 'oh', speaker: 'speaker-1' },
)
const transcript = {
  ...told,
  result: {
    ...told.result,
    segments: told.result.segments.map((segment, at) =>
      at === 1
        ? {
            ...segment,
            tags: [{ type: 'pause' as const, start: 3, end: 4, confidence: 1 }],
            text: 'when did [pause] he come?',
          }
        : segment,
    ),
  },
}

/** What is seen, and what the server says when it is asked for these changes, one after another; what it refuses is left out. */
function both(changes: readonly Change[]): { readonly seen: Seen; readonly made: Seen } {
  const nothing = { version: 0, entries: {}, steps: [] }
  let current: Omit<Extract<ReturnType<typeof decide>, { version: number }>, 'atMs'> = nothing
  let seen: Seen = { result: transcript.result, notes: [] }
  for (const change of changes) {
    const stored = { ...current, atMs: 0, filename: 'a.wav', passages: [] }
    const next = decide(
      { transcript, current: stored, writing, atMs: 0 },
      { version: current.version, changes: [change] },
    )
    if (isRefusal(next)) continue
    current = next
    seen = foreseen(seen, change)
  }
  return {
    seen,
    made: { result: layOver(transcript, current.entries, writing).result, notes: notesOf(current.entries) },
  }
}

/** What a reader sees of it. When a word that came was said, so that a tag stands before or after it, the server tells. */
function look({ result, notes }: Seen) {
  return {
    segments: result.segments.map(({ words, text, start, end, speech_information: about }) => ({
      about,
      text: text
        .split(' ')
        .filter((piece) => piece !== '[pause]')
        .join(' '),
      start,
      end,
      words: words.map(({ word, punctuated_word: written = word }) => ({ word, written })),
    })),
    notes: notes.map(({ at, text }) => ({ at, text })).sort((one, other) => one.at - other.at),
  }
}

const kinds: Readonly<Record<string, readonly Change[]>> = {
  'a word is corrected': [{ type: 'text', segment: 0, text: 'my दादा came home.' }],
  'a sentence is told otherwise': [{ type: 'text', segment: 1, text: '“so when, then,  did he  come…”' }],
  'a sentence is taken out': [{ type: 'text', segment: 0, text: '' }],
  'a sentence is written where there is none': [
    { type: 'text', segment: 0, text: '' },
    { type: 'text', segment: 0, text: 'all anew' },
  ],
  'a speaker is named': [{ type: 'name', speaker: 'speaker-1', name: '  Asha \t Rao ' }],
  'a name is taken back': [
    { type: 'name', speaker: 'speaker-1', name: 'Asha' },
    { type: 'name', speaker: 'speaker-1', name: ' ' },
  ],
  'a speaker without a name is merged with one who has one': [
    { type: 'name', speaker: 'speaker-2', name: 'Asha' },
    { type: 'merge', speaker: 'speaker-1', into: 'speaker-2' },
  ],
  'one who has a name is merged with one who has none': [
    { type: 'name', speaker: 'speaker-1', name: 'Asha' },
    { type: 'merge', speaker: 'speaker-1', into: 'speaker-2' },
    { type: 'name', speaker: 'speaker-2', name: 'Ravi' },
  ],
  'a note is written': [{ type: 'note', at: 1.5, text: 'ask her' }],
  'two notes are written, the later one first': [
    { type: 'note', at: 3, text: 'ask him' },
    { type: 'note', at: 1.5, text: 'ask her' },
  ],
}

for (const [kind, changes] of Object.entries(kinds))
  test(`what is seen before the server answers is what it answers: ${kind}`, (t) => {
    const { seen, made } = both(changes)
    t.deepEqual(look(seen), look(made))
  })

test('words that stay, and as many as went, have their own times, and others lie between their neighbours', (t) => {
  const { seen, made } = both([{ type: 'text', segment: 0, text: 'my दादा came home.' }])
  const heardOf = ({ result }: Seen) =>
    result.segments[0]!.words.map(({ start, end, confidence }) => [start, end, confidence])
  t.deepEqual(heardOf(seen), heardOf(made))
  const longer = both([{ type: 'text', segment: 0, text: 'my old dada came home.' }]).seen
  const starts = longer.result.segments[0]!.words.map(({ start }) => start)
  t.deepEqual(
    starts,
    starts.toSorted((one, other) => one - other),
  )
})

test('where a tag is among the words is seen, and to go back is not foreseen', (t) => {
  const { seen, made } = both([{ type: 'text', segment: 1, text: 'when did she come?' }])
  t.is(seen.result.segments[1]!.text, made.result.segments[1]!.text)
  t.is(foreseen(seen, { type: 'undo' }), seen)
})

test('a note that is known to the server is changed and removed in its place', (t) => {
  const notes = [
    { id: '1-0', at: 1, text: 'one' },
    { id: '2-0', at: 2, text: 'two' },
  ]
  const seen = { result: transcript.result, notes }
  t.deepEqual(foreseen(seen, { type: 'note', id: '1-0', at: 1, text: 'other' }).notes, [
    { id: '1-0', at: 1, text: 'other' },
    notes[1],
  ])
  t.deepEqual(foreseen(seen, { type: 'remove_note', id: '2-0' }).notes, [notes[0]])
})

const speaker = fc.constantFrom('speaker-1', 'speaker-2', 'speaker-3')
const word = fc.constantFrom('my', 'dada', 'home.', 'दादा', 'आए।', '—', '“so', 'when')
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    type: fc.constant('text' as const),
    segment: fc.nat({ max: 3 }),
    text: fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
  }),
  fc.record({ type: fc.constant('name' as const), speaker, name: fc.constantFrom('', 'Asha', ' Ravi  K ') }),
  fc.record({ type: fc.constant('note' as const), at: fc.nat({ max: 5 }), text: fc.constantFrom('one', 'two') }),
)

test('whatever is changed one after another, what is seen is what the server answers', (t) => {
  fc.assert(
    fc.property(
      fc.array(anyChange, { maxLength: 12 }),
      fc.array(fc.tuple(speaker, speaker), { maxLength: 2 }),
      (changes, pairs) => {
        const merges = pairs.map(([one, into]): Change => ({ type: 'merge', speaker: one, into }))
        const { seen, made } = both([...changes, ...merges.slice(0, 1)])
        const sorted = (one: Seen) => ({
          ...look(one),
          notes: look(one)
            .notes.map(({ at, text }) => `${at} ${text}`)
            .sort(),
        })
        t.deepEqual(sorted(seen), sorted(made))
      },
    ),
  )
})

import test from 'ava'
import * as fc from 'fast-check'

import { decide, isRefusal } from '../../actors/edit/decide.ts'
import { layOver } from '../../actors/edit/lay-over.ts'
import type { Change } from '../../actors/edit/protocol.ts'
import { editLimits } from '../../actors/edit/state.ts'
import type { StoredEdits } from '../../actors/edit/state.ts'
import { editStandingOf, entriesAt } from '../../actors/edit/versions.ts'
import { rewrite } from '../../infra/speech/formats/rewrite.ts'
import { writing } from '../../infra/speech/formats/writing.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'

const original = aToldTranscript(
  { text: 'my dada came home.', speaker: 'speaker-1' },
  { text: 'when did he come?', speaker: 'speaker-2' },
  { text: 'yesterday', speaker: 'speaker-3' },
)

type Outcome = { readonly edits: StoredEdits } | { readonly refusal: string }

function edit(current: StoredEdits | undefined, ...changes: readonly Change[]): Outcome {
  const version = current?.version ?? 0
  const outcome = decide({ transcript: original, current, writing, atMs: version }, { version, changes })
  if (isRefusal(outcome)) return { refusal: outcome.detail }
  return { edits: { ...outcome, filename: 'a.wav', passages: [] } }
}

function edited(current: StoredEdits | undefined, ...changes: readonly Change[]): StoredEdits {
  const outcome = edit(current, ...changes)
  if ('refusal' in outcome) throw new Error(outcome.refusal)
  return outcome.edits
}

const say = (text: string): Change => ({ type: 'text', segment: 2, text })

function readAs({ entries }: Pick<StoredEdits, 'entries'>) {
  return layOver(original, entries, writing).result
}

function timesOf(result: ReturnType<typeof readAs>, segment = 0) {
  return result.segments[segment]!.words.map(({ punctuated_word: text, start, end }) => `${text} ${start}-${end}`)
}

test('a word that is corrected keeps its time, and everything around it stays', (t) => {
  const result = readAs(edited(undefined, { type: 'word', segment: 0, word: 1, text: 'दादा' }))
  t.deepEqual(timesOf(result), ['my 0-0.5', 'दादा 0.5-1', 'came 1-1.5', 'home. 1.5-2'])
  t.is(result.text, 'my दादा came home. when did he come? yesterday')
  t.like(result.segments[0]!.words[1], { word: 'दादा', language: 'hi', confidence: 1 })
  t.deepEqual(result.segments[0]!.words[0], original.result.segments[0]!.words[0])
})

test('a sentence that is told otherwise: words that stay keep their times, and the others share those of the words that went', (t) => {
  const text = 'my dear old dada has come home again.'
  const result = readAs(edited(undefined, { type: 'text', segment: 0, text }))
  t.is(result.segments[0]!.text, text)
  t.like(result.segments[0], { start: 0, end: 2 })
  t.deepEqual(timesOf(result), [
    'my 0-0.5',
    'dear 0.5-0.5',
    'old 0.5-0.5',
    'dada 0.5-1',
    'has 1-1.176',
    'come 1.176-1.412',
    'home 1.412-1.647',
    'again. 1.647-2',
  ])
})

test('word after word, a segment becomes no longer than it may be', (t) => {
  const more: Change = { type: 'word', segment: 0, word: 0, text: 'a '.repeat(editLimits.text / 2) }
  t.is(readAs(edited(undefined, more)).segments[0]!.words.length, editLimits.text / 2 + 3)
  const limit = new RegExp(`changes.1: .*${editLimits.text + original.result.segments[0]!.text.length} characters`)
  const twice = edit(undefined, more, more)
  t.regex('refusal' in twice ? twice.refusal : '', limit)
})

test('tags that come back with the text are no words, and a sentence without words says nothing', (t) => {
  const tagged = structuredClone(original)
  const segment = {
    ...tagged.result.segments[0]!,
    tags: [{ type: 'pause', start: 0.9, end: 1.2, confidence: 1 }] as const,
  }
  const transcript = {
    ...tagged,
    result: { ...tagged.result, segments: [segment, ...tagged.result.segments.slice(1)] },
  }
  const told = (text: string) => {
    const changes = [{ type: 'text', segment: 0, text }] as const
    const outcome = decide({ transcript, current: undefined, writing, atMs: 0 }, { version: 0, changes })
    return isRefusal(outcome) ? outcome.detail : layOver(transcript, outcome.entries, writing).result
  }
  t.like(told('my dadi [pause] came home.'), { segments: [{ text: 'my dadi [pause] came home.' }] })
  t.like(told(''), { segments: [{ text: '[pause]', words: [] }] })
  t.like(readAs(edited(undefined, { type: 'text', segment: 2, text: '' })), {
    text: 'my dada came home. when did he come?',
  })
})

test('what was edited is written in other scripts as what was heard is', (t) => {
  const { entries } = edited(undefined, { type: 'word', segment: 0, word: 1, text: 'दादा,' })
  const latin = rewrite(layOver(original, entries, writing), { script: 'latin', tags: true })
  t.is(latin.segments[0]!.text, 'my dada, came home.')
  t.is(latin.segments[0]!.words[1]!.word, 'dada')
})

test('speakers that are merged are one everywhere, under the name of the one', (t) => {
  const named = edited(undefined, { type: 'name', speaker: 'speaker-1', name: ' Asha  Devi\n' })
  const both = edited(
    named,
    { type: 'merge', speaker: 'speaker-2', into: 'speaker-1' },
    { type: 'merge', speaker: 'speaker-3', into: 'speaker-2' },
  )
  const about = readAs(both).segments.map(({ speech_information: information }) => information)
  t.deepEqual(
    about.map((one) => [one?.speaker_id, one?.speaker_name]),
    Array.from({ length: 3 }, () => ['speaker-1', 'Asha Devi']),
  )
  const renamed = edited(both, { type: 'name', speaker: 'speaker-3', name: 'Bela' })
  t.is(readAs(renamed).segments[0]!.speech_information?.speaker_name, 'Bela')
  t.is(
    readAs(edited(renamed, { type: 'name', speaker: 'speaker-1', name: '' })).segments[0]!.speech_information
      ?.speaker_name,
    undefined,
  )
  t.like(edit(both, { type: 'merge', speaker: 'speaker-1', into: 'speaker-3' }), {
    refusal: 'changes.0: these are one speaker already.',
  })
})

test('notes are kept in order of time, written anew and removed', (t) => {
  const first = edited(undefined, { type: 'note', at: 2, text: 'later' }, { type: 'note', at: 1, text: 'sooner' })
  const { notes } = editStandingOf(first)
  t.deepEqual(
    notes.map(({ at, text }) => [at, text]),
    [
      [1, 'sooner'],
      [2, 'later'],
    ],
  )
  const [sooner, later] = notes.map(({ id }) => id)
  const next = edited(first, { type: 'note', id: sooner!, at: 0, text: 'soonest' }, { type: 'remove_note', id: later! })
  t.deepEqual(editStandingOf(next).notes, [{ id: sooner!, at: 0, text: 'soonest' }])
})

for (const [what, change] of [
  ['a segment', { type: 'text', segment: 3, text: 'a' }],
  ['a word', { type: 'word', segment: 2, word: 1, text: 'a' }],
  ['a speaker', { type: 'name', speaker: '__proto__', name: 'a' }],
  ['a speaker to merge into', { type: 'merge', speaker: 'speaker-1', into: 'toString' }],
  ['a note', { type: 'remove_note', id: 'constructor' }],
  ['a second', { type: 'note', at: 1e9, text: 'a' }],
] as const)
  test(`${what} that there is not cannot be edited, and of several changes none is made`, (t) => {
    const outcome = edit(undefined, { type: 'text', segment: 0, text: 'fine' }, change)
    t.true('refusal' in outcome && outcome.refusal.startsWith('changes.1: '))
  })

test('who read another version is told which one there is', (t) => {
  const current = edited(undefined, { type: 'text', segment: 0, text: 'a' })
  const changes = [{ type: 'text', segment: 0, text: 'b' }] as const
  const outcome = decide({ transcript: original, current, writing, atMs: 0 }, { version: 0, changes })
  t.like(outcome, { code: 'conflict' })
  t.true(isRefusal(outcome) && outcome.detail.includes('version 1'))
})

test('redo brings back what was undone, one after the other, until something else is changed', (t) => {
  const three = edited(edited(edited(undefined, say('one')), say('two')), say('three'))
  const textOf = (edits: StoredEdits): string => readAs(edits).segments[2]!.text
  t.is(editStandingOf(three).redoVersion, undefined)
  t.like(edit(three, { type: 'redo' }), { refusal: 'There is nothing left to redo.' })
  const first = edited(edited(three, { type: 'undo' }), { type: 'undo' })
  t.is(textOf(first), 'one')
  const second = edited(first, { type: 'redo' })
  t.is(textOf(second), 'two')
  t.is(textOf(edited(second, { type: 'undo' })), 'one', 'and can be undone again')
  const third = edited(second, { type: 'redo' })
  t.is(textOf(third), 'three')
  t.like(edit(third, { type: 'redo' }), { refusal: 'There is nothing left to redo.' })
  t.is(editStandingOf(edited(first, say('four'))).redoVersion, undefined)
  const none = edited(edited(undefined, say('one')), { type: 'undo' })
  t.is(textOf(edited(none, { type: 'redo' })), 'one', 'also from what was transcribed')
  t.like(edit(first, { type: 'redo' }, say('four')), {
    refusal: 'redo is a change of its own, and goes with no other.',
  })
})

test('undo goes back step by step, and what is changed then is undone first', (t) => {
  const one = edited(undefined, say('one'))
  const two = edited(one, say('two'))
  const back = edited(two, { type: 'undo' })
  const three = edited(back, say('three'))
  const undone: string[] = []
  let current = three
  for (let undo = editStandingOf(current).undoVersion; undo !== undefined; undo = editStandingOf(current).undoVersion) {
    current = edited(current, { type: 'undo' })
    undone.push(readAs(current).segments[2]!.text)
  }
  t.deepEqual(undone, ['one', 'yesterday'])
  t.like(edit(current, { type: 'undo' }), { refusal: 'There is nothing left to undo.' })
  t.is(readAs(edited(current, { type: 'restore', version: two.version })).segments[2]!.text, 'two')
  t.like(edit(current, { type: 'undo' }, say('four')), {
    refusal: 'undo is a change of its own, and goes with no other.',
  })
})

test('versions are bounded in number and size: the oldest are forgotten, and what was transcribed never is', (t) => {
  let current: StoredEdits | undefined
  for (let count = 0; count < editLimits.versions + 20; count += 1)
    current = edited(current, { type: 'text', segment: 2, text: `word ${count}` })
  t.is(current!.steps.length, editLimits.versions)
  const { oldestVersion } = editStandingOf(current!)
  t.is(oldestVersion, 20)
  t.is(entriesAt(current!, oldestVersion - 1), undefined)
  t.is(readAs({ entries: entriesAt(current!, oldestVersion)! }).segments[2]!.text, 'word 19')
  t.deepEqual(entriesAt(current!, 0), {})

  const everywhere = (text: string) =>
    original.result.segments.map((_, segment): Change => ({ type: 'text', segment, text }))
  let large = edited(undefined, ...everywhere('a'))
  for (let count = 0; count < 90; count += 1)
    large = edited(large, ...everywhere(`${count}${'ह'.repeat(editLimits.text)}`))
  const bytes = large.steps.map((step) => Buffer.byteLength(JSON.stringify(step))).reduce((sum, one) => sum + one, 0)
  t.true(bytes <= editLimits.stepsBytes)
  t.true(large.steps.length > 1 && large.steps.length < 90)
})

const texts = fc.array(fc.constantFrom('my', 'dada', 'came', 'home.', 'दादा', 'x'), { maxLength: 8 })
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), segment: fc.nat(2), text: texts.map((some) => some.join(' ')) }),
  fc.record({
    type: fc.constant('word' as const),
    segment: fc.nat(2),
    word: fc.nat(4),
    text: fc.constantFrom('', 'a', 'a b'),
  }),
  fc.record({
    type: fc.constant('name' as const),
    speaker: fc.constantFrom('speaker-1', 'speaker-2'),
    name: fc.constantFrom('', 'Asha'),
  }),
  fc.record({
    type: fc.constant('merge' as const),
    speaker: fc.constantFrom('speaker-1', 'speaker-2'),
    into: fc.constantFrom('speaker-2', 'speaker-3'),
  }),
  fc.record({ type: fc.constant('undo' as const) }),
  fc.record({ type: fc.constant('restore' as const), version: fc.nat(6) }),
)

test('after any edits every version is still what it was, and words are in order of time within their segment', (t) => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 20 }), (changes) => {
      let current: StoredEdits | undefined
      const seen = [JSON.stringify(original.result)]
      for (const change of changes) {
        const outcome = edit(current, change)
        if ('refusal' in outcome) continue
        current = outcome.edits
        seen.push(JSON.stringify(readAs(current)))
      }
      if (!current) return
      for (const [version, result] of seen.entries())
        t.is(JSON.stringify(readAs({ entries: entriesAt(current, version)! })), result)
      for (const { start, end, words } of readAs(current).segments) {
        const times = [start, ...words.flatMap((word) => [word.start, word.end]), end]
        t.deepEqual(
          times,
          times.toSorted((one, other) => one - other),
        )
      }
    }),
  )
})

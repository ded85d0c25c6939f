import test from 'ava'
import * as fc from 'fast-check'

import { progressBoard, progressIn, progressOn } from '../../infra/telemetry/progress.ts'

test('a terminal sees one line that fills up', (t) => {
  const { output, clock, screen } = aScreen({ isTTY: true, columns: 60 })
  const progress = progressOn(output, clock.now)('fetching')
  t.deepEqual(screen(), ['[..............................]   0 %  fetching'])
  clock.pass(200)
  progress.update(0.5)
  t.deepEqual(screen(), ['[###############...............]  50 %  fetching'])
  progress.done()
  t.deepEqual(screen(), ['[##############################] 100 %  fetching', ''])
})

test('a bar that has gone on for a while says how long it will take', (t) => {
  const { output, clock, screen } = aScreen({ isTTY: true, columns: 40 })
  const progress = progressOn(output, clock.now)('fetching')
  clock.pass(2_000)
  progress.update(0.1)
  t.deepEqual(screen(), [' 10 %  fetching'])
  clock.pass(8_000)
  progress.update(0.125)
  t.deepEqual(screen(), [' 12 %  1:10 left  fetching'])
  clock.pass(990_000)
  progress.update(0.2)
  t.deepEqual(screen(), [' 20 %  1:06:40 left  fetching'])
  progress.done()
  t.deepEqual(screen(), ['100 %  fetching', ''])
})

test('several bars stand below one another, under what is finished', (t) => {
  const { output, clock, screen } = aScreen({ isTTY: true, columns: 40 })
  const { start } = progressBoard(output, clock.now)
  const [one, two, three] = [start('one'), start('two'), start('three')]
  clock.pass(200)
  two.update(0.5)
  t.deepEqual(screen(), ['  0 %  one', ' 50 %  two', '  0 %  three'])
  two.done()
  t.deepEqual(screen(), ['100 %  two', '  0 %  one', '  0 %  three'])
  one.fail()
  three.done()
  t.deepEqual(screen(), ['100 %  two', '  0 %  one', '100 %  three', ''])
})

test('what is written aside stands above the bars that go on', (t) => {
  const { output, clock, screen } = aScreen({ isTTY: true, columns: 40 })
  const board = progressBoard(output, clock.now)
  const [one, two] = [board.start('one'), board.start('two')]
  board.aside(() => output.write('a result\nof two lines\n'))
  t.deepEqual(screen(), ['a result', 'of two lines', '  0 %  one', '  0 %  two'])
  one.done()
  two.done()
  board.aside(() => output.write('the last\n'))
  t.deepEqual(screen(), ['a result', 'of two lines', '100 %  one', '100 %  two', 'the last', ''])
})

test('more bars than the terminal has rows do not scroll it', (t) => {
  const { output, clock, screen } = aScreen({ isTTY: true, columns: 40, rows: 4 })
  const { start } = progressBoard(output, clock.now)
  const bars = ['a', 'b', 'c', 'd', 'e'].map(start)
  t.deepEqual(screen(), ['  0 %  a', '  0 %  b', '  0 %  c'])
  bars[0]!.done()
  t.deepEqual(screen(), ['100 %  a', '  0 %  b', '  0 %  c', '  0 %  d'])
})

test('a name cannot give orders to the terminal', (t) => {
  for (const isTTY of [true, false]) {
    const { written, output, clock } = aScreen({ isTTY, columns: 60 })
    progressOn(output, clock.now)('a\u001B[2Jb\nc.wav')
    t.true(written.join('').includes('a [2Jb c.wav'))
  }
})

test('a log sees a line at the start, one now and then, and one at the end', (t) => {
  const { written, output, clock } = aScreen({ isTTY: false })
  const progress = progressOn(output, clock.now)('fetching')
  progress.update(0.1)
  clock.pass(6_000)
  progress.update(0.42)
  progress.update(0.43)
  clock.pass(6_000)
  progress.update(1)
  progress.done()
  t.deepEqual(written, ['fetching …\n', 'fetching: 42 %\n', 'fetching: done\n'])
})

test('a bar neither runs backwards nor floods the terminal', (t) => {
  const { written, output, clock, screen } = aScreen({ isTTY: true, columns: 60 })
  const progress = progressOn(output, clock.now)('fetching')
  for (let step = 0; step < 1_000; step += 1) progress.update(step / 4_000)
  clock.pass(200)
  progress.update(0.5)
  clock.pass(200)
  progress.update(0.3)
  t.is(written.length, 3)
  t.deepEqual(screen(), ['[###############...............]  50 %  fetching'])
})

test('whatever the width and the fraction, a line fits the terminal', (t) => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 80 }),
      fc.integer({ min: 1, max: 200 }),
      fc.double(),
      (title, columns, fraction) => {
        const { output, clock, screen } = aScreen({ isTTY: true, columns })
        const progress = progressOn(output, clock.now)(title)
        clock.pass(200)
        progress.update(fraction)
        return screen().every((line) => Array.from(line).length < Math.max(columns, 2))
      },
    ),
  )
  t.pass()
})

test('what goes on in several places is shown in all of them', (t) => {
  const screens = [aScreen({ isTTY: false }), aScreen({ isTTY: false })]
  const start = progressIn(...screens.map(({ output, clock }) => progressOn(output, clock.now)))
  const progress = start('fetching')
  for (const { clock } of screens) clock.pass(6_000)
  progress.update(0.5)
  progress.done()
  start('another').fail()
  for (const { written } of screens)
    t.deepEqual(written, ['fetching …\n', 'fetching: 50 %\n', 'fetching: done\n', 'another …\n'])
})

function aScreen(terminal: { isTTY: boolean; columns?: number; rows?: number }) {
  const written: string[] = []
  let nowMs = 0
  const clock = { now: () => nowMs, pass: (ms: number) => (nowMs += ms) }
  const output = { ...terminal, write: (text: string) => written.push(text) }
  return { written, clock, output, screen: () => shownBy(written.join('')) }
}

/** What a terminal shows of the few orders that a board gives: lines up, back to the margin, erase what follows. */
function shownBy(written: string): string[] {
  const lines = ['']
  let row = 0
  for (const [order, up] of written.matchAll(/\p{Cc}\[(?:\?7[lh]|(\d+)A|J)|\r|\n|\P{Cc}+/gu)) {
    if (order.endsWith('A') && up !== undefined) row -= Number(up)
    else if (order === '\u001B[J') lines.splice(row, Infinity, '')
    else if (order === '\n') lines[(row += 1)] ??= ''
    else if (order !== '\r' && !order.startsWith('\u001B')) lines[row] += order
  }
  return lines
}

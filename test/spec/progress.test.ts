import test from 'ava'
import * as fc from 'fast-check'

import { progressOn } from '../../infra/progress.ts'

test('a terminal sees one line that fills up', (t) => {
  const { written, output, clock } = aScreen({ isTTY: true, columns: 60 })
  const progress = progressOn(output, clock.now)('fetching')
  clock.pass(200)
  progress.update(0.5)
  progress.done()
  t.deepEqual(written, [
    '\r\u001B[Kfetching [..............................] 0 %',
    '\r\u001B[Kfetching [###############...............] 50 %',
    '\r\u001B[Kfetching [##############################] 100 %',
    '\n',
  ])
})

test('a log sees a line at the start, one now and then, and one at the end', (t) => {
  const { written, output, clock } = aScreen({ isTTY: false })
  const progress = progressOn(output, clock.now)('fetching')
  progress.update(0.1)
  clock.pass(6_000)
  progress.update(0.42)
  progress.update(0.43)
  progress.done()
  t.deepEqual(written, ['fetching …\n', 'fetching: 42 %\n', 'fetching: done\n'])
})

test('a bar neither runs backwards nor floods the terminal', (t) => {
  const { written, output, clock } = aScreen({ isTTY: true, columns: 60 })
  const progress = progressOn(output, clock.now)('fetching')
  for (let step = 0; step < 1_000; step += 1) progress.update(step / 1_000)
  clock.pass(200)
  progress.update(0.5)
  clock.pass(200)
  progress.update(0.3)
  t.is(written.length, 3)
  t.true(written.at(-1)?.endsWith('50 %'))
})

test('whatever the width and the fraction, a line fits the terminal', (t) => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 80 }),
      fc.integer({ min: 1, max: 200 }),
      fc.double(),
      (title, columns, fraction) => {
        const { written, output, clock } = aScreen({ isTTY: true, columns })
        const progress = progressOn(output, clock.now)(title)
        clock.pass(200)
        progress.update(fraction)
        return written.every((text) => text.replace('\r\u001B[K', '').length < Math.max(columns, 2))
      },
    ),
  )
  t.pass()
})

function aScreen(terminal: { isTTY: boolean; columns?: number }) {
  const written: string[] = []
  let nowMs = 0
  const clock = { now: () => nowMs, pass: (ms: number) => (nowMs += ms) }
  return { written, clock, output: { ...terminal, write: (text: string) => written.push(text) } }
}

import test from 'ava'

import { measureThroughput } from '../../actors/worker/throughput.ts'
import type { HeldChunk, Throughput } from '../../actors/worker/throughput.ts'
import { createWaits } from '../../actors/worker/waits.ts'
import type { Waits } from '../../actors/worker/waits.ts'
import { aManualClock } from '../support/manual-clock.ts'

interface Scene {
  readonly throughput: Throughput
  readonly waits: Waits
  readonly pass: (seconds: number) => void
}

function aScene(): Scene {
  const clock = aManualClock()
  const waits = createWaits(clock)
  return {
    throughput: measureThroughput(clock, () => waits.waitedMs()),
    waits,
    pass: (seconds) => clock.advance(seconds * 1000),
  }
}

function end(chunk: HeldChunk, audioSeconds: number): void {
  chunk.transcribed(audioSeconds)
  chunk.end()
}

/** A chunk of 20 seconds that takes two. */
function transcribeOne({ throughput, pass }: Scene): void {
  const chunk = throughput.begin()
  pass(2)
  end(chunk, 20)
}

test('a worker that has heard nothing does not say how fast it is', (t) => {
  const { throughput, pass } = aScene()
  throughput.begin()
  pass(5)
  t.is(throughput.perSecond(), undefined)
})

test('what is heard counts against the time in which there was something to hear', (t) => {
  const scene = aScene()
  transcribeOne(scene)
  scene.pass(1000)
  transcribeOne(scene)
  t.is(scene.throughput.perSecond(), 10)
})

test('chunks that are heard at the same time share it', (t) => {
  const { throughput, pass } = aScene()
  const chunks = [throughput.begin(), throughput.begin()]
  pass(4)
  for (const chunk of chunks) end(chunk, 20)
  t.is(throughput.perSecond(), 10)
})

for (const [sentence, seconds] of [
  ['a model that is fetched for a minute makes no worker slower', 60],
  ['a model that is opened in a moment makes no worker slower', 0.5],
] as const)
  test(sentence, (t) => {
    const scene = aScene()
    const { throughput, waits, pass } = scene
    transcribeOne(scene)
    const chunks = [throughput.begin(), throughput.begin()]
    const wait = waits.start('fetching')
    pass(seconds)
    wait.done()
    pass(4)
    for (const chunk of chunks) end(chunk, 20)
    t.is(throughput.perSecond(), 10)
    transcribeOne(scene)
    t.is(throughput.perSecond(), 10)
  })

test('what another model hears while one is fetched makes no worker faster', (t) => {
  const scene = aScene()
  const { throughput, waits, pass } = scene
  transcribeOne(scene)
  const wait = waits.start('fetching')
  for (let chunk = 0; chunk < 10; chunk += 1) transcribeOne(scene)
  const last = throughput.begin()
  pass(1)
  wait.done()
  pass(1)
  end(last, 20)
  t.is(throughput.perSecond(), 10)
})

test('a worker that only waited and heard nothing else does not say how fast it is', (t) => {
  const { throughput, waits, pass } = aScene()
  const chunk = throughput.begin()
  pass(1)
  const wait = waits.start('fetching')
  pass(30)
  wait.fail()
  pass(1)
  end(chunk, 20)
  t.is(throughput.perSecond(), undefined)
})

test('chunks that take long make no worker slower before they end', (t) => {
  const scene = aScene()
  const { throughput, pass } = scene
  transcribeOne(scene)
  const chunks = [throughput.begin(), throughput.begin(), throughput.begin()]
  pass(60)
  t.is(throughput.perSecond(), 10)
  end(chunks[0]!, 600)
  t.is(throughput.perSecond(), 10, 'the others are nearly done')
  for (const chunk of chunks.slice(1)) end(chunk, 600)
  t.is(throughput.perSecond(), (20 + 1800) / 62)
})

test('with more chunks at hand than it can hear at once a worker is as fast as it hears', (t) => {
  const { throughput, pass } = aScene()
  const held = Array.from({ length: 6 }, () => throughput.begin())
  // two at a time, each twenty seconds of audio in two
  for (let wave = 0; wave < 20; wave += 1) {
    pass(2)
    for (const chunk of held.splice(0, 2)) end(chunk, 20)
    held.push(throughput.begin(), throughput.begin())
  }
  t.is(throughput.perSecond(), 20)
})

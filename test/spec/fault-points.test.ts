import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { faultPoints } from '../../actors/fault-points.ts'
import { inCheckout } from '../support/checkout.ts'
import { pointsOf, scenes } from '../support/fault-scenes.ts'

const places = ['actors', 'gateway', 'infra', 'realtime']

async function sources(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return Promise.all(names.filter((name) => name.endsWith('.ts')).map((name) => readFile(join(folder, name), 'utf8')))
}

test('every point of the list is somewhere in the code, and every point in the code is in the list', async (t) => {
  const texts = (await Promise.all(places.map((place) => sources(inCheckout(place))))).flat()
  const named = texts.flatMap((text) => Array.from(text.matchAll(/faults\.point\('([^']+)'\)/g), ([, name]) => name!))
  t.deepEqual([...new Set(named)].sort(), [...faultPoints].sort())
})

test('a process is killed, frozen and hit by an error at every point: each is in one scene, and each scene is played', async (t) => {
  const played = scenes.flatMap(pointsOf)
  t.deepEqual([...played].sort(), [...faultPoints].sort())
  const read = (name: string): Promise<string> => readFile(inCheckout('test', 'flow', name), 'utf8')
  const [killed, frozen, hit] = await Promise.all([
    Promise.all(['crash-points.test.ts', 'batches-crash.test.ts', 'work-crash-points.test.ts'].map(read)),
    Promise.all(['gateway-freeze-points.test.ts', 'work-freeze-points.test.ts'].map(read)),
    Promise.all(['gateway-throw-points.test.ts', 'work-throw-points.test.ts'].map(read)),
  ])
  for (const scene of scenes) {
    t.true(killed.join('').includes(`pointsOf('${scene}')`), `killed: ${scene}`)
    t.true(frozen.join('').includes(`pointsOf('${scene}')`), `frozen: ${scene}`)
    t.true(hit.join('').includes(`pointsOf('${scene}')`), `hit by an error: ${scene}`)
  }
})

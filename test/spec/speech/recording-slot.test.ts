import { randomBytes } from 'node:crypto'
import { readSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { openRecordingSlot } from '../../../infra/speech/audio/recording-slot.ts'
import { aFolder } from '../../support/folder.ts'

test('a slot holds one recording after another, byte for byte and nothing of the last', async (t) => {
  const folder = await aFolder(t)
  const sizes = [700_001, 3, 0, 262_144]
  const slot = openRecordingSlot()
  t.teardown(() => {
    slot.handedOver()
    slot.close()
  })
  const room = Buffer.alloc(Math.max(...sizes) + 1)
  for (const [turn, size] of sizes.entries()) {
    const recording = randomBytes(size)
    const path = join(folder, String(turn))
    await writeFile(path, recording)
    await slot.fill(path)
    const length = readSync(slot.descriptor, room, 0, room.length, 0)
    t.true(room.subarray(0, length).equals(recording))
  }
})

test('what cannot be read fills no slot', async (t) => {
  const slot = openRecordingSlot()
  t.teardown(() => {
    slot.handedOver()
    slot.close()
  })
  await t.throwsAsync(slot.fill(join(await aFolder(t), 'nothing')), { code: 'ENOENT' })
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import { createDecoder } from '../../../infra/speech/audio/decode.ts'
import { aFolder } from '../../support/folder.ts'
import { aLyingMovie } from '../../support/lying-movie.ts'

async function secondsOf(content: Uint8Array, folder: string): Promise<number> {
  const path = join(folder, 'movie.mov')
  await writeFile(path, content)
  const decoder = createDecoder()
  try {
    let samples = 0
    for await (const [block] of await decoder.decode(path, { channels: 'mix' })) samples += block!.length
    return samples / 16_000
  } finally {
    await decoder.close()
  }
}

test('a file whose index repeats one second is heard as far as its bytes are plausible, and then refused', async (t) => {
  const folder = await aFolder(t)
  t.is(Math.round(await secondsOf(aLyingMovie(20), folder)), 20)
  const lying = aLyingMovie(5_000)
  t.true(lying.length < 40_000)
  const error = await t.throwsAsync(secondsOf(lying, folder), { instanceOf: FailureError })
  t.is(error?.failure.code, 'too_large')
  t.regex(error?.message ?? '', /bytes and more than 23\d\d\.\d s of sound, which no recording has/)
})

import { buffer } from 'node:stream/consumers'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { spokenRate } from '../../../actors/conversation/ports.ts'
import { FailureError } from '../../../actors/failure.ts'
import { openAudioEncoder } from '../../../infra/speech/audio/encode.ts'
import type { AudioEncoder } from '../../../infra/speech/audio/encode.ts'
import { inPieces } from '../../support/encoded.ts'
import { aTone } from '../../support/samples.ts'

const formats = ['mp3', 'opus', 'aac', 'flac'] as const
const tone = Int16Array.from(aTone({ hz: 440, seconds: 2, rate: spokenRate }), (sample) => sample * 20_000)

function anEncoder(t: ExecutionContext, limits = {}): AudioEncoder {
  const encoder = openAudioEncoder(limits)
  t.teardown(() => encoder.close())
  return encoder
}

for (const format of formats)
  test(`${format} comes while the rest is still to be said`, async (t) => {
    let told: () => void = () => undefined
    const hasCome = new Promise<void>((resolve) => (told = resolve))
    async function* spoken(): AsyncGenerator<Int16Array> {
      yield tone
      await hasCome
      yield tone
    }
    let bytes = 0
    for await (const some of anEncoder(t).encode(format, spoken())) {
      bytes += some.length
      told()
    }
    t.true(bytes > 0)
  })

test('what is encoded at the same time does not mix', async (t) => {
  const encoder = anEncoder(t)
  const alone = await buffer(encoder.encode('flac', inPieces(tone)))
  const together = await Promise.all(formats.map((format) => buffer(encoder.encode(format, inPieces(tone)))))
  t.true(together.at(-1)!.equals(alone))
})

test('the same bytes come of pieces of any length, down to none', async (t) => {
  const encoder = anEncoder(t)
  async function* oddly(): AsyncGenerator<Int16Array> {
    for (let at = 0, size = 0; at < tone.length; at += size, size = (size + 997) % 3_001)
      yield await Promise.resolve(tone.subarray(at, at + size))
  }
  const wanted = await buffer(encoder.encode('mp3', inPieces(tone)))
  t.true((await buffer(encoder.encode('mp3', oddly()))).equals(wanted))
})

test('one encoding too many is told the limit, and one that was left early makes room', async (t) => {
  const encoder = anEncoder(t, { encodings: 1 })
  const first = encoder.encode('mp3', inPieces(tone))[Symbol.asyncIterator]()
  await first.next()
  const error = await t.throwsAsync(buffer(encoder.encode('mp3', inPieces(tone))), { instanceOf: FailureError })
  t.regex(error.message, /1 answers are being encoded at once/)
  await first.return?.()
  t.true((await buffer(encoder.encode('mp3', inPieces(tone)))).length > 0)
})

test('what nobody can say any more ends its encoding with that reason', async (t) => {
  async function* silenced(): AsyncGenerator<Int16Array> {
    yield await Promise.resolve(tone)
    throw new Error('the voice is gone')
  }
  await t.throwsAsync(buffer(anEncoder(t).encode('opus', silenced())), { message: 'the voice is gone' })
})

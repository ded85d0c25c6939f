import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import testAnyOrder from 'ava'
import type { ExecutionContext } from 'ava'

import { spokenRate } from '../../../actors/conversation/ports.ts'
import { FailureError } from '../../../actors/failure.ts'
import { speechFormats } from '../../../actors/conversation/ports.ts'
import { createDecoder } from '../../../infra/speech/audio/decode.ts'
import { boundedBytes } from '../../../infra/speech/audio/header/bounded-bytes.ts'
import { containerFormats } from '../../../infra/speech/audio/header/formats.ts'
import { sniff } from '../../../infra/speech/audio/header/sniff.ts'
import { encodedAs } from '../../support/encoded.ts'
import { aFolder } from '../../support/folder.ts'
import { aRiff, aWav, anAdtsFrame, anId3Tag, anMp3Frame, repeated, asciiText } from '../../support/media.ts'
import { inMemory, probed } from '../../support/probing.ts'
import { amplitudeAt, aTone, joinedSamples } from '../../support/samples.ts'
import { aRifx, aWave64, aWavIn64Bits } from '../../support/wave-kinds.ts'

const test = testAnyOrder.serial // each has a process of its own
const media = resolve('test/fixtures/media')
const fixture = (name: string): Buffer => readFileSync(join(media, name))

const toneHz = 400
const tone = Int16Array.from(aTone({ hz: toneHz, seconds: 1 }), (sample) => Math.round(sample * 32_767))

/** A box renamed where it stands, so that nothing moves. */
function beginningWith(box: string, name: string): Buffer {
  const content = fixture(name)
  content.write(box, 4, 'latin1')
  return content
}

const accepted: readonly (readonly [what: string, content: Uint8Array])[] = [
  ['RIFF', aWav({ seconds: 1 })],
  ['RF64', aWavIn64Bits('RF64', tone)],
  ['BW64', aWavIn64Bits('BW64', tone)],
  ['RIFX', aRifx(tone)],
  ['Wave64', aWave64(tone)],
  ['AIFC', fixture('speech.aifc')],
  ['AU', fixture('speech.au')],
  ['CAF', fixture('speech.caf')],
  ['FLAC', fixture('speech.flac')],
  ['AMR', fixture('speech.amr')],
  [
    'wide AMR',
    Buffer.concat([asciiText('#!AMR-WB\n'), repeated(50, Buffer.concat([Buffer.of(0x44), Buffer.alloc(60)]))]),
  ],
  ['Windows Media', fixture('speech.wma')],
  ['Ogg', fixture('opus.ogg')],
  ['WebM', fixture('live.webm')],
  ['Matroska', fixture('speech.mka')],
  ['MP4', fixture('speech.m4a')],
  ['3GP', fixture('speech.3gp')],
  ['QuickTime that begins with a preview', beginningWith('pnot', 'talking.mov')],
  ['QuickTime that begins with a gap', beginningWith('wide', 'talking.mov')],
  ['MP3', fixture('vbr.mp3')],
  ['AAC', fixture('speech.aac')],
  ['MP3 that begins in the middle of a frame', fixture('cbr.mp3').subarray(100)],
  ['AAC that begins in the middle of a frame', fixture('speech.aac').subarray(50)],
  ['MP3 after 60 KB of padding', Buffer.concat([Buffer.alloc(60_000, 1), fixture('cbr.mp3')])],
  ['MP3 after two tags', Buffer.concat([anId3Tag(3_000), anId3Tag(100_000), fixture('vbr.mp3')])],
  ...(['speech.aac', 'speech.flac', 'opus.ogg'] as const).map(
    (name) => [`${name} after a tag`, Buffer.concat([anId3Tag(3_000), fixture(name)])] as const,
  ),
]

const refused: readonly (readonly [what: string, content: Uint8Array])[] = [
  ['nothing', new Uint8Array()],
  ['zeros', new Uint8Array(10_000)],
  ['a text', asciiText('Dear Sir or Madam,\n'.repeat(500))],
  ['a playlist', asciiText('#EXTM3U\n#EXTINF:10,\nother.aac\n')],
  ['a text about containers', asciiText('caffeine riff .snd OggS fLaC')],
  ['a text that begins like Ogg', asciiText('OggS is a magic '.repeat(100))],
  ['a text that begins like AU', asciiText('.snd is a magic '.repeat(100))],
  ['a text that begins like AMR', asciiText('#!AMR is a magic '.repeat(100))],
  ['a text that begins like MP4', asciiText("I'm free today. ".repeat(100))],
  ['a WebP', aRiff([['VP8 ', new Uint8Array(400)]], { type: 'WEBP' })],
  ['an AVI', aRiff([['hdrl', new Uint8Array(400)]], { type: 'AVI ' })],
  ['half a GUID of Windows Media', Buffer.concat([fixture('speech.wma').subarray(0, 8), Buffer.alloc(4_000, 0x81)])],
  ['half a GUID of Wave64', Buffer.concat([aWave64(tone).subarray(0, 8), Buffer.alloc(4_000, 0x81)])],
  ['a WAV after a tag', Buffer.concat([anId3Tag(300), aWav({ seconds: 1 })])],
  ['an MP4 after a tag', Buffer.concat([anId3Tag(300), fixture('faststart.m4a')])],
  ['a tag alone', anId3Tag(5_000)],
  ['one frame of MP3', anMp3Frame()],
  ['three frames of MP3 after junk', Buffer.concat([Buffer.of(1, 2, 3), repeated(3, anMp3Frame())])],
  ['three frames of AAC after junk', Buffer.concat([Buffer.of(1, 2, 3), repeated(3, anAdtsFrame(100))])],
]

async function decoded(t: ExecutionContext, content: Uint8Array): Promise<Float32Array> {
  const decoder = createDecoder()
  try {
    const path = join(await aFolder(t), 'recording')
    await writeFile(path, content)
    const blocks: Float32Array[] = []
    for await (const [block] of await decoder.decode(path, { channels: 'mix' })) blocks.push(block!)
    return joinedSamples(blocks)
  } finally {
    await decoder.close()
  }
}

async function estimated(content: Uint8Array): Promise<number | null> {
  const verdict = await probed(content)
  return verdict.audio ? verdict.durationSeconds : null
}

for (const [what, content] of accepted)
  test(`${what} is accepted by an upload and opened by the decoder, and both say how long it is`, async (t) => {
    const seconds = (await decoded(t, content)).length / 16_000
    const estimate = await estimated(content)
    t.true(estimate !== null && Math.abs(estimate - seconds) < 0.1, `estimated ${estimate} s, decoded ${seconds} s`)
  })

for (const [what, content] of refused)
  test(`${what} is refused by an upload, and by the decoder before it opens it`, async (t) => {
    t.false((await probed(content)).audio)
    const error = await t.throwsAsync(() => decoded(t, content), { instanceOf: FailureError })
    t.is(error?.failure.code, 'unsupported_media')
    t.regex(error?.message ?? '', /is not audio that can be decoded/)
  })

test('a RIFX with an extended format is refused by an upload, as the decoder cannot read its header', async (t) => {
  const content = aRifx(tone, new Uint8Array(2))
  t.false((await probed(content)).audio)
  const error = await t.throwsAsync(() => decoded(t, content), { instanceOf: FailureError })
  t.is(error?.failure.code, 'unsupported_media')
})

test('every row of the table has a file here that is found by it', async (t) => {
  const found = await Promise.all(accepted.map(([, content]) => sniff(boundedBytes(inMemory(content)))))
  const rows = new Set(found.flatMap((one) => ('format' in one ? [one.format] : [])))
  t.deepEqual(
    containerFormats.filter((format) => !rows.has(format)),
    [],
  )
})

test('every kind of WAV sounds the same', async (t) => {
  const kinds = {
    RF64: aWavIn64Bits('RF64', tone),
    BW64: aWavIn64Bits('BW64', tone),
    RIFX: aRifx(tone),
    Wave64: aWave64(tone),
  }
  for (const [what, content] of Object.entries(kinds)) {
    const samples = await decoded(t, content)
    t.is(samples.length, tone.length)
    const amplitude = amplitudeAt(samples, 16_000, toneHz)
    t.true(Math.abs(amplitude - 0.5) < 0.001, `${what}: ${amplitude}`)
  }
})

for (const format of speechFormats.filter((name) => name !== 'pcm'))
  test(`speech that Vaak wrote as ${format} is estimated as long as it is`, async (t) => {
    const spoken = Int16Array.from(aTone({ hz: toneHz, seconds: 4.3, rate: spokenRate }), (sample) => sample * 32_767)
    const estimate = await estimated(await encodedAs(t, format, spoken))
    t.true(estimate !== null && Math.abs(estimate - 4.3) < 0.1, `it says ${estimate} s`)
  })

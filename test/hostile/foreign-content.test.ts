import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { FailureError } from '../../actors/failure.ts'
import { createDecoder } from '../../infra/speech/audio/decode.ts'
import { uploadForm } from '../support/api.ts'
import { aFolder } from '../support/folder.ts'
import { aWav } from '../support/media.ts'
import { aMultipart, multipartBoundary, multipartType } from '../support/multipart.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService(test)

/** Files that are instructions to open others, or hold others; all of them by the name of a recording. */
const tricks: readonly (readonly [what: string, content: string | Buffer])[] = [
  ['an HLS playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/etc/passwd\n#EXT-X-ENDLIST\n'],
  ['an HLS playlist with a key', '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="file:///etc/passwd"\n#EXTINF:1,\na.ts\n'],
  ['a list for concat', 'ffconcat version 1.0\nfile /etc/passwd\n'],
  ['a list for subfile', 'ffconcat version 1.0\nfile subfile,,start,0,end,9,,:/etc/passwd\n'],
  ['a DASH manifest', '<?xml version="1.0"?><MPD><BaseURL>file:///etc/passwd</BaseURL></MPD>'],
  ['an SVG with a reference', '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'],
  ['an SDP description', 'v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\nc=IN IP4 127.0.0.1\n'],
  ['a data URL', 'data:audio/wav;base64,UklGRg=='],
  ['a playlist of Windows', '[playlist]\nFile1=/etc/passwd\n'],
  ['an XSPF playlist', '<?xml version="1.0"?><playlist><trackList><track><location>/etc/passwd</location></track></trackList></playlist>'], // prettier-ignore
  ['a ZIP', Buffer.concat([Buffer.from('504b0304140000000800', 'hex'), Buffer.alloc(200)])],
  ['a gzip', Buffer.concat([Buffer.from('1f8b0800', 'hex'), Buffer.alloc(200)])],
  ['a program', Buffer.concat([Buffer.from('7f454c46', 'hex'), Buffer.alloc(200)])],
]

for (const [what, content] of tricks) {
  test(`${what} by the name of a recording is refused by name, and its neighbour is taken`, async (t) => {
    const { api } = await service.user(t)
    const { status, body } = await api.post('/files/upload', {
      body: uploadForm(
        { name: 'trick.mp3', content: Buffer.from(content), type: 'audio/mpeg' },
        { name: 'good.wav', content: aWav({ seconds: 0.05 }) },
      ),
    })
    t.is(status, 202)
    t.deepEqual(body.files.map((file: { filename: string }) => file.filename), ['good.wav']) // prettier-ignore
    t.deepEqual(body.rejected_files.map((file: { filename: string }) => file.filename), ['trick.mp3']) // prettier-ignore
  })

  test(`${what} is not opened by the decoder, should it ever come that far`, async (t) => {
    const decoder = createDecoder()
    t.teardown(() => decoder.close())
    const path = join(await aFolder(t), 'trick.mp3')
    await writeFile(path, content)
    const error = await t.throwsAsync(() => decoder.decode(path, { channels: 'mix' }), { instanceOf: FailureError })
    t.is(error?.failure.code, 'unsupported_media')
  })
}

const wav = Buffer.from(aWav({ seconds: 0.05 }))

for (const [what, body, type] of [
  ['no boundary', aMultipart({ content: wav }), 'multipart/form-data'],
  ['an empty boundary', aMultipart({ content: wav }), 'multipart/form-data; boundary='],
  ['another boundary than it says', aMultipart({ content: wav }), 'multipart/form-data; boundary=other'],
  ['a field before its file', aMultipart({ disposition: 'form-data; name="a"', content: 'x' }, { content: wav }), multipartType], // prettier-ignore
  ['a part without a name', aMultipart({ disposition: 'form-data; filename="a.wav"', content: wav }), multipartType],
  ['no end', aMultipart({ content: wav }).subarray(0, -multipartBoundary.length - 8), multipartType],
  ['nothing in it', Buffer.from(`--${multipartBoundary}--\r\n`), multipartType],
] as const)
  test(`an upload with ${what} is 400`, async (t) => {
    const { api } = await service.user(t)
    const { status } = await api.post('/files/upload', { body, headers: { 'Content-Type': type } })
    t.is(status, 400)
  })

test('a header that makes careless parsers go back and forth is answered (fastify/busboy#72)', async (t) => {
  const { api } = await service.user(t)
  const disposition = `form-data; name="files"; filename="${'\\"'.repeat(3_000)}a.wav"; ${'x='.repeat(2_000)}`
  const type = `${multipartType}; ${'a="'.repeat(1_000)}`
  await api.post('/files/upload', { body: aMultipart({ disposition, content: wav }), headers: { 'Content-Type': multipartType } }) // prettier-ignore
  await api.post('/files/upload', { body: aMultipart({ content: wav }), headers: { 'Content-Type': type } })
  t.is((await api.get('/files')).status, 200, 'nobody else waits for it')
})

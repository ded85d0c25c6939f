import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

import test from 'ava'

import { askedAddress } from '../../gateway/docs/asked-address.ts'

function seen(headers: Readonly<Record<string, string>>, socket: Socket = new Socket()): string {
  socket.destroy()
  return askedAddress({ headers, socket })
}

for (const host of ['vaak.example', 'vaak:8700', '127.0.0.1:8080', '[::1]:8080', 'speech_to_text:80', 'VAAK.example'])
  test(`whoever asks ${host} is told of it`, (t) => {
    t.is(seen({ host }), `http://${host}`)
  })

test('a port of ours that speaks TLS, and a proxy that does, make it https', (t) => {
  const host = 'vaak.example'
  t.is(seen({ host }, new TLSSocket(new Socket())), 'https://vaak.example')
  for (const proto of ['https', 'HTTPS', 'https, http', 'https,http'])
    t.is(seen({ host, 'x-forwarded-proto': proto }), 'https://vaak.example', proto)
  for (const proto of ['http', 'gopher', 'https://evil.example', 'httpsx', 'http, https'])
    t.is(seen({ host, 'x-forwarded-proto': proto }), 'http://vaak.example', proto)
  t.is(seen({ host, 'x-forwarded-proto': 'http' }, new TLSSocket(new Socket())), 'https://vaak.example')
})

for (const host of [
  '',
  'a@evil.example',
  'a b',
  'x;reboot',
  '$(reboot)',
  '`reboot`',
  '"><script>',
  "x'y",
  'x/path',
  'x?query',
  'x#part',
  'x\\y',
  'x:99999',
  'x:',
  '[::1',
  '[zz]',
  'दादा',
  'x'.repeat(254),
])
  test(`a host that is none is not repeated: ${host.slice(0, 20)}`, (t) => {
    t.is(seen({ host }), 'http://127.0.0.1:0')
  })

import test from 'ava'

import { readNatsUrl } from '../../infra/nats/connection/url.ts'

const readings = {
  'localhost:4222': { servers: ['localhost:4222'], tls: false },
  'nats://broker': { servers: ['broker:4222'], tls: false },
  'nats://a:1, nats://b:2,': { servers: ['a:1', 'b:2'], tls: false },
  'nats://[::1]:4222': { servers: ['[::1]:4222'], tls: false },
  'nats://anna:1s%40fe@broker:4222': { servers: ['broker:4222'], tls: false, user: 'anna', pass: '1s@fe' },
  'nats://t0ken@broker': { servers: ['broker:4222'], tls: false, token: 't0ken' },
  'tls://broker:4443': { servers: ['broker:4443'], tls: true },
}

for (const [url, reading] of Object.entries(readings))
  test(`the address ${url} is understood`, (t) => {
    t.deepEqual<unknown, unknown>(readNatsUrl(url), reading)
  })

test('an address that is none is refused without repeating its password', (t) => {
  for (const url of [
    '',
    ' , ',
    'http://anna:secret@broker',
    'nats://',
    'nats://anna:secret@broker:port',
    'nats://anna:secret%@broker',
  ]) {
    const error = t.throws(() => readNatsUrl(url), { message: /^NATS_URL / })
    t.false(error?.message.includes('secret'))
  }
})

import test from 'ava'

import { FailureError } from '../../../actors/failure.ts'
import { networkOf } from '../../../gateway/network.ts'
import { openRates } from '../../../gateway/rates.ts'
import { anOwner } from '../../support/builders.ts'
import { aGateway } from '../../support/gateway.ts'
import { aManualClock } from '../../support/manual-clock.ts'
import { sharedService } from '../../support/service.ts'

const service = sharedService(test)
const [hostile, good] = [anOwner('h'), anOwner('g')]
const limits = { user: { perSecond: 2, burst: 10 }, address: { perSecond: 4, burst: 20 } }

test('a user who asks too often is told when to come back, after a second, and another is answered', async (t) => {
  const gateway = await aGateway(t, service.nats, {
    environment: { RATE_USER_PER_SECOND: '1', RATE_USER_BURST: '3' },
  })
  const [often, seldom] = [await gateway.apiOf('often'), await gateway.apiOf('seldom')]
  const startedMs = performance.now()
  const answers = await Promise.all(Array.from({ length: 20 }, () => often.get('/files')))
  t.true(performance.now() - startedMs > 990)
  const refused = answers.filter(({ status }) => status === 429)
  t.true(refused.length > 0)
  t.regex(refused[0]!.body.detail, /1 requests a second, and 3 at once/)
  t.regex(refused[0]!.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  t.is((await seldom.get('/files')).status, 200)
})

test('an address that tries wrong tokens is answered 429 instead of 401 after a while, and /healthz is not', async (t) => {
  const gateway = await aGateway(t, service.nats, {
    environment: { RATE_ADDRESS_PER_SECOND: '1', RATE_ADDRESS_BURST: '5' },
  })
  const guesses = await Promise.all(Array.from({ length: 20 }, () => gateway.api.as('wrong').get('/files')))
  t.true(guesses.some(({ status }) => status === 429))
  t.is((await gateway.api.get('/healthz')).status, 200)
})

test('what anybody may read is refused to an address that asks for it without end, and its pages say how long', async (t) => {
  const gateway = await aGateway(t, service.nats, {
    environment: { RATE_ADDRESS_PER_SECOND: '1', RATE_ADDRESS_BURST: '5' },
  })
  for (const path of ['/docs', '/docs/postman.json', '/openapi.json', '/']) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(new URL(path, gateway.api.url))))
    const refused = answers.find(({ status }) => status === 429)
    t.regex(refused?.headers.get('retry-after') ?? '', /^[1-9]\d*$/, path)
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  }
  t.is((await gateway.api.get('/readyz')).status, 200)
})

test('each user and each network has an allowance of its own, which refills', (t) => {
  const clock = aManualClock()
  const rates = openRates(limits, clock)
  for (let times = 0; times < 10; times += 1) rates.byUser(hostile)
  const refusal = t.throws(() => rates.byUser(hostile), { instanceOf: FailureError })
  t.like(refusal?.failure, { code: 'too_many_requests', retryAfterSeconds: 1 })
  t.notThrows(() => rates.byUser(good))
  clock.advance(500)
  t.notThrows(() => rates.byUser(hostile))
  t.throws(() => rates.byUser(hostile))
  clock.advance(60_000)
  for (let times = 0; times < 10; times += 1) t.notThrows(() => rates.byUser(hostile))
})

test('who is seen now and then keeps a debt, however long the others are forgotten after', (t) => {
  const clock = aManualClock()
  const rates = openRates(limits, clock)
  rates.readFor(hostile, 64 * 1024 * 40)
  for (let times = 0; times < 5; times += 1) {
    clock.advance(2_500)
    t.throws(() => rates.byUser(hostile))
  }
  clock.advance(2_500 + 500)
  t.notThrows(() => rates.byUser(hostile))
})

test('addresses of one IPv6 network are one, and IPv4 is itself however it is written', (t) => {
  t.is(networkOf('2001:db8:0:1::1'), networkOf('2001:0db8:0000:0001:ffff:ffff:ffff:ffff'))
  t.not(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'))
  t.is(networkOf('::ffff:10.1.2.3'), networkOf('10.1.2.3'))
  t.not(networkOf('10.1.2.3'), networkOf('10.1.2.4'))
  t.is(networkOf('::1'), '0:0:0:0')
})

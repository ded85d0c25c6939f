import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import test from 'ava'
import type { Page } from 'playwright-core'

import { startGateway } from '../../gateway/main.ts'
import { readConfig } from '../../infra/config/config.ts'
import { noFaults } from '../../infra/process/faults.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { violations } from '../support/accessibility.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { gatewayEnvironment } from '../support/gateway.ts'
import { startTestNats } from '../support/nats.ts'
import { startOpenIdProvider } from '../support/openid-provider.ts'
import { silentLog } from '../support/silent-log.ts'

const inBrowser = await testWithBrowser()

/** People sign in to the console at a real OpenID provider, and others try to come in another way. */

const browser = consoleBrowser(test)
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>
let consoleAt = ''
let closeAll: () => Promise<void> = () => Promise.resolve()

test.before(async () => {
  const port = await freePort()
  consoleAt = `http://127.0.0.1:${port}/`
  provider = await startOpenIdProvider(consoleAt)
  const nats = await startTestNats()
  const dataDir = await mkdtemp(join(tmpdir(), 'vaak-test-'))
  const environment = { ...provider.environment, PORT: String(port) }
  const gateway = await startGateway(readConfig(gatewayEnvironment(nats, { dataDir, environment })), {
    log: silentLog,
    faults: noFaults,
  })
  closeAll = async () => {
    await gateway.close()
    await nats.stop()
    provider.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
test.after.always(() => closeAll())
test.afterEach.always(() => provider.make())

/** As the provider's own pages ask. */
async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${provider.issuer}/**`)
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${consoleAt}**`)
}

/** What is sent to the token endpoint, from now on. */
function tokenRequests(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url() === `${provider.issuer}/token`) sent.push(request.postData() ?? '')
  })
  return sent
}

const stored = (page: Page): Promise<unknown> => page.evaluate('JSON.stringify([sessionStorage, localStorage])')

inBrowser.serial(
  'a person signs in at the issuer, comes back to the place, reloads, and signs out everywhere',
  async (t) => {
    const page = await browser.open(t, `${consoleAt}#/access`)
    await page.getByText(`You are sent to ${new URL(provider.issuer).host}`).waitFor()
    t.deepEqual(await violations(page), [])
    await signInAs(page, 'asha')
    await page.getByText('You have no API keys.').waitFor()
    t.is(page.url(), `${consoleAt}#/access`, 'neither code nor state stay in the address')
    t.is(await page.locator('.who').innerText(), 'asha')
    await page.reload()
    await page.getByText('You have no API keys.').waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${provider.issuer}/session/end**`)
    await page.getByRole('button', { name: /yes/i }).click()
    await page.waitForURL(`${consoleAt}**`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    t.is(await stored(page), '[{},{}]')
  },
)

inBrowser.serial(
  'a token that ends is renewed before, or when the server refuses it, and nobody notices',
  async (t) => {
    provider.make({ seconds: 8 })
    const page = await browser.open(t, consoleAt)
    await signInAs(page, 'renewed')
    await page.getByText('Nothing here yet').waitFor()
    const sent = tokenRequests(page)
    const first = await page.evaluate('sessionStorage.getItem("vaak.token")')
    await eventually(
      'another token',
      async () => (await page.evaluate('sessionStorage.getItem("vaak.token")')) !== first,
    )
    t.regex(sent[0] ?? '', /grant_type=refresh_token/)

    // as after a sleep: what the page holds is over, and it does not know
    await page.evaluate(`sessionStorage.setItem("vaak.token", ${JSON.stringify(first)})`)
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('You have no API keys.').waitFor()
  },
)

inBrowser.serial('a token that ends and cannot be renewed leads to the page to sign in, and back', async (t) => {
  const page = await browser.open(t, `${consoleAt}#/access`)
  await signInAs(page, 'over')
  await page.getByText('You have no API keys.').waitFor()
  await page.evaluate(`sessionStorage.setItem("vaak.grant", "{}"), sessionStorage.setItem("vaak.token", "over")`)
  await page.reload()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('You have no API keys.').waitFor()
  t.is(await page.locator('.who').innerText(), 'over', 'who is still signed in at the issuer is not asked again')
})

inBrowser.serial('an answer with another state, or to nobody’s question, is given up and not exchanged', async (t) => {
  const page = await browser.open(t, `${consoleAt}?code=stolen&state=forged#//evil.example/`)
  const sent = tokenRequests(page)
  await page.getByText('was not begun in this tab').waitFor()
  t.is(page.url(), `${consoleAt}#/`, 'nothing in the address says where to go')

  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${provider.issuer}/**`)
  await page.goto(`${consoleAt}?code=stolen&state=forged`)
  await page.getByText('was not begun in this tab').waitFor()
  t.is(await stored(page), '[{},{}]', 'what was begun is over')
  t.deepEqual(sent, [])
})

inBrowser.serial('what somebody else begins does not sign out who is signed in', async (t) => {
  const page = await browser.open(t, consoleAt)
  await signInAs(page, 'steady')
  await page.getByText('Nothing here yet').waitFor()
  await page.goto(`${consoleAt}?error=access_denied&state=forged`)
  await page.getByText('Nothing here yet').waitFor()
  t.is(await page.locator('.who').innerText(), 'steady')
})

for (const [what, change] of [
  ['another nonce', { nonce: 'replayed' }],
  ['another client', { aud: 'another-client' }],
  ['another issuer', { iss: 'https://evil.example' }],
  ['the past', { exp: 1 }],
] as const)
  inBrowser.serial(`an id token for ${what} signs nobody in`, async (t) => {
    const page = await browser.open(t, consoleAt)
    await page.route(`${provider.issuer}/token`, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { id_token: string }
      await route.fulfill({ response, json: { ...body, id_token: changed(body.id_token, change) } })
    })
    await signInAs(page, 'replayed')
    await page.getByText('is not meant for you here').waitFor()
    t.is(await stored(page), '[{},{}]')
  })

inBrowser.serial('a token for another audience is refused, with the reason', async (t) => {
  provider.make({ audience: 'https://other.example/' })
  const page = await browser.open(t, consoleAt)
  await signInAs(page, 'elsewhere')
  await page.getByText('The token is for another service').waitFor()
  t.is(await stored(page), '[{},{}]')
})

for (const [what, change] of [
  ['names another issuer', { issuer: 'https://evil.example' }],
  ['has people sign in elsewhere', { authorization_endpoint: 'https://evil.example/auth' }],
  ['has codes sent elsewhere', { token_endpoint: 'https://evil.example/token' }],
  ['runs a script', { authorization_endpoint: 'javascript:alert(1)' }],
  ['knows no S256', { code_challenge_methods_supported: ['plain'] }],
] as const)
  inBrowser.serial(`nobody is sent anywhere by a description that ${what}`, async (t) => {
    const page = await browser.open(t, consoleAt)
    await page.route('**/.well-known/openid-configuration', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...change } })
    })
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('not safe to follow').waitFor()
    t.is(page.url(), consoleAt)
  })

test('the page may ask its own server and the issuer, and the others only their own', async (t) => {
  const policyOf = async (path: string): Promise<string> =>
    (await fetch(consoleAt + path)).headers.get('content-security-policy') ?? ''
  t.regex(await policyOf(''), new RegExp(`; connect-src 'self' ${provider.issuer}; `))
  t.regex(await policyOf('shared'), /; connect-src 'self'; /)
  t.regex(await policyOf('console/main.js'), /; connect-src 'self'; /)
})

function changed(token: string, change: object): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  return [header, Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url'), signature].join('.')
}

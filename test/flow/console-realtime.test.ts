import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { createApp } from '../../gateway/app.ts'
import { readAssets } from '../../gateway/console/assets.ts'
import { realtimePlaceRoute } from '../../gateway/console/realtime.ts'
import { consoleRoutes } from '../../gateway/console/route.ts'
import { withDocs } from '../../gateway/docs/routes.ts'
import { serveGateway } from '../../gateway/server.ts'
import { freePort } from '../../infra/process/free-port.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { aRealtimeServer } from '../support/realtime-server.ts'
import { silentLog } from '../support/silent-log.ts'

const inBrowser = await testWithBrowser()

const browser = consoleBrowser(test)
const host = '127.0.0.1'

/** The console alone, which looks for realtime at this port. */
async function aConsole(t: ExecutionContext, port: number): Promise<string> {
  const place = realtimePlaceRoute({ host, port, isSecure: false, isHere: true }, systemClock)
  const routes = withDocs([place, ...consoleRoutes(await readAssets(), undefined)])
  const authenticate = (): Promise<never> => Promise.reject(new Error('nobody is asked'))
  const app = createApp({ routes, authenticate, observe: () => undefined, log: silentLog })
  const server = await serveGateway(app, { host, port: 0 })
  t.teardown(() => server.close(0))
  return `http://${host}:${server.port}`
}

inBrowser('the console has a tab for realtime while that answers', async (t) => {
  const realtime = createServer((socket) => socket.destroy()).listen(0, host)
  await once(realtime, 'listening')
  t.teardown(() => realtime.close())
  const { port } = realtime.address() as AddressInfo
  const url = await aConsole(t, port)
  t.deepEqual(await (await fetch(`${url}/console/realtime`)).json(), { port, secure: false, answers: true })
  const page = await browser.open(t, url)
  const tab = page.getByRole('link', { name: 'Realtime' })
  await tab.waitFor()
  t.is(await tab.getAttribute('href'), `http://${host}:${port}/`)
})

inBrowser('the page to talk to speaks the language that was chosen in the console', async (t) => {
  const { httpUrl } = await aRealtimeServer(t)
  const page = await browser.open(t, await aConsole(t, Number(new URL(httpUrl).port)))
  await page.getByLabel('Language of this page').selectOption('हिन्दी')
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'रीयल-टाइम' }).click()
  await (await opened).getByRole('button', { name: 'बात शुरू करें' }).waitFor()
  t.is((await opened).url(), `${httpUrl}/`)
})

inBrowser('the console has no tab for realtime where that does not run', async (t) => {
  const port = await freePort()
  const url = await aConsole(t, port)
  t.deepEqual(await (await fetch(`${url}/console/realtime`)).json(), { port, secure: false, answers: false })
  const page = await browser.open(t, url)
  await page.getByLabel('Your token').waitFor()
  t.is(await page.getByRole('link', { name: 'Realtime' }).count(), 0)
})

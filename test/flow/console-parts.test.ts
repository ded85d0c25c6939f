import { readdir } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import test from 'ava'

import { sharedService } from '../support/service.ts'

const service = sharedService(test)
const page = fileURLToPath(new URL('../../../gateway/console/page/', import.meta.url))

const partNames = async (): Promise<string[]> =>
  (await readdir(page, { recursive: true })).filter((name) => extname(name) !== '')

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.url + path, { headers })

test('the console is at the root, as a page that runs nothing but its own scripts', async (t) => {
  const response = await get('/')
  t.is(response.status, 200)
  t.is(response.headers.get('content-type'), 'text/html; charset=utf-8')
  const policy = response.headers.get('content-security-policy') ?? ''
  t.regex(policy, /default-src 'none'; script-src 'self'; style-src 'self';/)
  t.notRegex(policy, /unsafe|https?:|\*/)
  const html = await response.text()
  t.notRegex(html, /<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|https?:/)
})

test('every part has its type, and none refers to another server', async (t) => {
  const types: Record<string, string> = {
    js: 'text/javascript',
    css: 'text/css',
    svg: 'image/svg+xml',
    html: 'text/html',
  }
  const names = await partNames()
  t.true(names.length > 20)
  for (const name of names) {
    const response = await get(`/console/${name}`)
    t.is(response.headers.get('content-type'), `${types[extname(name).slice(1)]}; charset=utf-8`, name)
    t.is(response.headers.get('x-content-type-options'), 'nosniff')
    t.notRegex((await response.text()).replaceAll('http://www.w3.org/2000/svg', ''), /https?:\/\//, name)
  }
})

test('every module that a part imports is there', async (t) => {
  const names = await partNames()
  for (const name of names.filter((one) => one.endsWith('.js'))) {
    const text = await (await get(`/console/${name}`)).text()
    for (const [, imported = ''] of text.matchAll(/from '(\.[^']+)'/g))
      t.is((await get(`/console/${join(dirname(name), imported)}`)).status, 200, `${name}: ${imported}`)
  }
})

test('the fonts that the styles name are there, as they are in their package, and are kept', async (t) => {
  const styles = await (await get('/console/fonts.css')).text()
  const addresses = Array.from(styles.matchAll(/url\('([^']+)'\)/g), ([, address = '']) => address)
  t.is(addresses.length, 4)
  for (const address of addresses) {
    const response = await get(new URL(address, `${service.url}/console/fonts.css`).pathname)
    t.is(response.headers.get('content-type'), 'font/woff2')
    t.is(response.headers.get('cache-control'), 'public, max-age=2592000')
    const bytes = Buffer.from(await response.arrayBuffer())
    t.is(bytes.toString('latin1', 0, 4), 'wOF2', address)
    t.is(bytes.length, Number(response.headers.get('content-length')))
  }
})

test('a browser that has a part is not sent it again', async (t) => {
  const first = await get('/console/main.js')
  const etag = first.headers.get('etag') ?? ''
  t.regex(etag, /^"[\w-]{43}"$/)
  t.is(first.headers.get('cache-control'), 'no-cache')
  const second = await get('/console/main.js', { 'If-None-Match': etag })
  t.is(second.status, 304)
  t.is(await second.text(), '')
  t.is((await get('/console/main.js', { 'If-None-Match': '"another"' })).status, 200)
})

for (const name of [
  'nothing.js',
  '..%2froute.ts',
  '%2e%2e%2fassets.ts',
  '..%2f..%2f..%2fpackage.json',
  'words',
  'words/nothing.js',
  'words/..%2fmain.js',
  '..%2f/assets.ts',
  '__proto__',
  'main.js%00',
])
  test(`there is no part ${name}`, async (t) => {
    const response = await get(`/console/${name}`)
    t.is(response.status, 404)
    t.deepEqual(await response.json(), { detail: 'The console has no such part.' })
  })

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

import type { ExecutionContext } from 'ava'

export interface FakeRegistry {
  readonly url: string
  readonly integrity: string
  readonly sizeBytes: number
  /** One entry for each request of the tarball: the `range` it asked for. */
  readonly requests: (string | undefined)[]
  /** Cuts the connection of the next tarball requests, one for each number, after so many bytes. */
  readonly cuts: number[]
  /** Sent instead of the real bytes when set. */
  tarball: Buffer
  ranges: boolean
}

/** An npm registry with one package, `demo-model@1.0.0`, on this machine. */
export async function anNpmRegistry(
  t: ExecutionContext,
  files: Readonly<Record<string, Buffer>>,
): Promise<FakeRegistry> {
  const tarball = gzipSync(tarOf(files))
  const registry: { -readonly [Key in keyof FakeRegistry]: FakeRegistry[Key] } = {
    url: '',
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    sizeBytes: tarball.length,
    requests: [],
    cuts: [],
    tarball,
    ranges: true,
  }
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) sendTarball(registry, request, response)
    else sendPackument(registry, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return registry
}

function sendPackument(registry: FakeRegistry, request: IncomingMessage, response: ServerResponse): void {
  if (request.url !== '/demo-model') {
    response.writeHead(404).end('{}')
    return
  }
  const dist = { tarball: `${registry.url}demo-model/-/demo-model-1.0.0.tgz`, integrity: registry.integrity }
  const version = { name: 'demo-model', version: '1.0.0', dist }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ name: 'demo-model', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }))
}

function sendTarball(registry: FakeRegistry, request: IncomingMessage, response: ServerResponse): void {
  registry.requests.push(request.headers.range)
  const from = registry.ranges ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0
  const body = registry.tarball.subarray(from)
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': body.length })
  const cut = registry.cuts.shift()
  if (cut === undefined) response.end(body)
  else response.write(body.subarray(0, cut), () => response.destroy())
}

function tarOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, content]) => [
    headerOf(path, content.length),
    content,
    Buffer.alloc((512 - (content.length % 512)) % 512),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function headerOf(path: string, sizeBytes: number): Buffer {
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar', 257)
  header.write('00', 263)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

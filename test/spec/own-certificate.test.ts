import { X509Certificate } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'

import test from 'ava'

import { ownCertificate } from '../../infra/web/own-certificate.ts'
import { aFolder } from '../support/folder.ts'

const dayMs = 86_400_000
const host = '127.0.0.1'
const at = (nowMs: number) => ({ nowMs: () => nowMs, elapsedMs: () => 0 })
const start = Date.UTC(2026, 0, 1)

test('the certificate is for this machine, signs no others, and its key is for its owner only', async (t) => {
  const { certPath, keyPath } = await ownCertificate({ folder: await aFolder(t), host, clock: at(start) })
  const cert = new X509Certificate(await readFile(certPath))
  t.is(cert.checkHost('localhost'), 'localhost')
  t.is(cert.checkIP('127.0.0.1'), '127.0.0.1')
  t.is(cert.checkHost('example.com'), undefined)
  t.false(cert.ca)
  t.true(cert.verify(cert.publicKey))
  t.is((await stat(keyPath)).mode & 0o777, 0o600)
})

test('a certificate is kept until it ends soon, and is then made anew', async (t) => {
  const folder = await aFolder(t)
  const textAt = async (nowMs: number): Promise<string> => {
    const { certPath } = await ownCertificate({ folder, host, clock: at(nowMs) })
    return readFile(certPath, 'utf8')
  }
  const first = await textAt(start)
  t.is(await textAt(start + 300 * dayMs), first)
  const second = await textAt(start + 400 * dayMs)
  t.not(second, first)
  t.true(Date.parse(new X509Certificate(second).validTo) > start + 700 * dayMs)
})

test('a certificate that is for another address, or has another key, or is none, is made anew', async (t) => {
  const folder = await aFolder(t)
  const made = await ownCertificate({ folder, host, clock: at(start) })
  const first = await readFile(made.certPath, 'utf8')
  await ownCertificate({ folder, host: 'vaak.example', clock: at(start) })
  const second = await readFile(made.certPath, 'utf8')
  t.is(new X509Certificate(second).checkHost('vaak.example'), 'vaak.example')
  await writeFile(made.certPath, first)
  await ownCertificate({ folder, host, clock: at(start) })
  t.not(await readFile(made.certPath, 'utf8'), first)
  await writeFile(made.keyPath, 'no key')
  await ownCertificate({ folder, host, clock: at(start) })
  t.regex(await readFile(made.keyPath, 'utf8'), /PRIVATE KEY/)
})

import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A certificate that its own key signed, good for these names for an hour: no file to keep and none to expire. */
export function aCertificate(...names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(objectId(commonName), der(0x0c, Buffer.from('vaak test')))))
  const content = sequence(
    der(0xa0, integer(2)), // version 3
    integer(1),
    sequence(objectId(ecdsaWithSha256)),
    name,
    sequence(utcTime(-3_600_000), utcTime(3_600_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(objectId(subjectAltName), der(0x04, sequence(...names.map(dnsName)))))),
  )
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', content, privateKey)])
  const certificate = sequence(content, sequence(objectId(ecdsaWithSha256)), der(0x03, signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

const commonName = '550403'
const subjectAltName = '551d11'
const ecdsaWithSha256 = '2a8648ce3d040302'

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  // the shortest form: BoringSSL takes no other
  const long = content.length > 0xff ? [0x82, content.length >> 8, content.length & 0xff] : [0x81, content.length]
  const length = content.length < 0x80 ? [content.length] : long
  return Buffer.concat([Buffer.of(tag, ...length), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts)
const integer = (value: number): Buffer => der(0x02, Buffer.of(value))
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const dnsName = (name: string): Buffer => der(0x82, Buffer.from(name))

function utcTime(fromNowMs: number): Buffer {
  const digits = new Date(Date.now() + fromNowMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return der(0x17, Buffer.from(digits.slice(2)))
}

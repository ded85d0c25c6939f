import { createECDH } from 'node:crypto'

import { calculateJwkThumbprint, CompactSign, importJWK } from 'jose'
import type { JWK } from 'jose'

import type { PublicKeys } from '../../actors/identity.ts'
import type { ReceiptSigner } from '../../actors/transcript/ports.ts'
import { canonicalJson } from './canonical-json.ts'

export const receiptAlgorithm = 'ES256'
/** Whoever checks tokens with the same key set takes no receipt for one. */
export const receiptType = 'vaak-receipt+jws'

const curve = 'prime256v1'
const curveOrder = 0xffffffff_00000000_ffffffff_ffffffff_bce6faad_a7179e84_f3b9cac2_fc632551n
const scalarHexDigits = 64
const coordinateBytes = 32

/** The key comes from a secret that all gateways share: none of them keeps it, and all of them sign alike. */
export async function openReceiptKey(secret: Buffer): Promise<ReceiptSigner & PublicKeys> {
  const { publicJwk, privateJwk } = keyPairOf(secret)
  const kid = await calculateJwkThumbprint(publicJwk)
  const key = await importJWK(privateJwk, receiptAlgorithm)
  const published = { ...publicJwk, kid, alg: receiptAlgorithm, use: 'sig' }
  return {
    keys: [published],
    async sign(receipt) {
      const content = Buffer.from(canonicalJson(receipt))
      const header = { alg: receiptAlgorithm, kid, typ: receiptType }
      const [head, , signature] = (await new CompactSign(content).setProtectedHeader(header).sign(key)).split('.')
      return `${head}..${signature}`
    },
  }
}

function keyPairOf(secret: Buffer): { readonly publicJwk: JWK; readonly privateJwk: JWK } {
  const scalar = 1n + (BigInt(`0x${secret.toString('hex')}`) % (curveOrder - 1n))
  const own = Buffer.from(scalar.toString(16).padStart(scalarHexDigits, '0'), 'hex')
  const pair = createECDH(curve)
  pair.setPrivateKey(own)
  // one byte says that both coordinates follow
  const point = pair.getPublicKey().subarray(1)
  const [x, y] = [point.subarray(0, coordinateBytes), point.subarray(coordinateBytes)]
  const publicJwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
  return { publicJwk, privateJwk: { ...publicJwk, d: own.toString('base64url') } }
}

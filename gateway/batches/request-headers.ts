import { z } from 'zod'

import { unlessComplained } from '../complaint.ts'

/** Headers that a user has sent with a request of ours: secrets, which are shown to nobody, not even to who gave them. */

const headersMax = 16
const headersMaxBytes = 2048
const nameMaxCharacters = 64

const aName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** What ends a line would begin another header. */
const aValue = /^[\x20-\x7e]*$/

/** They say how a request is written and what we make of its answer, or by whom it comes. */
const ours = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-real-ip',
  // what opens the metadata services of clouds
  'metadata',
  'metadata-flavor',
])
const oursBegin = /^(?:proxy-|sec-|webhook-|x-forwarded-|x-aws-ec2-metadata-)/

const shape = z
  .record(z.string(), z.string())
  .meta({ id: 'RequestHeaders', examples: [{ Authorization: 'Bearer TOKEN' }] })

export const requestHeaders = unlessComplained(complaintOf, shape)

export const headersAbout = `Secret: kept until the batch is deleted or its time is over, and shown to nobody. At most ${headersMax}, and ${headersMaxBytes} bytes together; those that say how a request is written, such as \`Host\`, are refused.`

/** Names at most a header, and only one that can be one; never a value. */
function complaintOf(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'expected an object of names and values'
  const all = Object.entries(given)
  if (all.length > headersMax) return `has ${all.length} headers, and the limit is ${headersMax}`
  for (const [name, value] of all) {
    if (name.length > nameMaxCharacters || !aName.test(name) || name === '__proto__')
      return `the name of a header has at most ${nameMaxCharacters} letters, digits and hyphens`
    if (typeof value !== 'string' || !aValue.test(value))
      return `the value of ${name} is not one line of plain text (ASCII)`
    if (ours.has(name.toLowerCase()) || oursBegin.test(name.toLowerCase())) return `${name} is not yours to say`
  }
  if (new Set(all.map(([name]) => name.toLowerCase())).size < all.length) return 'has the same header twice'
  const sizeBytes = Buffer.byteLength(JSON.stringify(given))
  return sizeBytes > headersMaxBytes ? `has ${sizeBytes} bytes, and the limit is ${headersMaxBytes}` : undefined
}

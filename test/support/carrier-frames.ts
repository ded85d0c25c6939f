import { readFileSync } from 'node:fs'

import { inCheckout } from './checkout.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- frames are as the carrier documents them, and tests change them
export type CarrierFrame = any

interface CarrierFrames {
  readonly received: Readonly<Record<string, CarrierFrame>>
  readonly sent: Readonly<Record<string, CarrierFrame>>
}

/** The committed frames of a carrier, by their names. */
export function carrierFrames(carrier: string): CarrierFrames {
  return JSON.parse(readFileSync(inCheckout('test', 'fixtures', 'telephone', `${carrier}.json`), 'utf8'))
}

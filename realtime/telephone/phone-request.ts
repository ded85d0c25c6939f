import { ownModel } from '../../actors/conversation/ports.ts'
import type { UpgradeRequest } from '../connect/request.ts'
import type { Carrier, CarrierCall } from './carrier.ts'

interface PhoneSettings {
  readonly type: 'realtime'
  readonly instructions?: string
  readonly audio?: object
}

/** What a call is to be: whose, set how, and what the conversation is told of it. */
export interface PhoneRequest {
  /** For the same door as everybody else's sessions. */
  readonly asked: UpgradeRequest
  readonly settings: PhoneSettings
  /** Whether the caller is spoken to first. */
  readonly isGreeted: boolean
  readonly facts: Readonly<Record<string, string>>
}

const basic = /^basic +(\S+)$/i
/** A carrier bounds what fits into a parameter: a token goes on in `token2`, `token3` and so on. */
const tokenPart = /^token(\d{0,2})$/
const yes: ReadonlySet<string> = new Set(['true', '1', 'yes'])

/** The address goes before the carrier's parameters, since whoever wrote that chose the server too. */
export function readPhoneRequest(upgrade: UpgradeRequest, carrier: Carrier, call: CarrierCall): PhoneRequest {
  const query = new URLSearchParams(upgrade.query)
  const { voice, language, instructions, greet = '', ...rest } = { ...call.parameters, ...ours(query) }
  const facts = Object.entries(rest).filter(([name]) => !tokenPart.test(name))
  const token = query.get('token') ?? tokenIn(call.parameters)
  return {
    asked: {
      ...upgrade,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...bearerOf(upgrade.authorization),
      query: '',
      modelOtherwise: ownModel,
    },
    settings: {
      type: 'realtime',
      ...(instructions !== undefined && { instructions }),
      ...((voice !== undefined || language !== undefined) && {
        audio: {
          ...(language !== undefined && { input: { transcription: { language } } }),
          ...(voice !== undefined && { output: { voice } }),
        },
      }),
    },
    isGreeted: yes.has(greet),
    facts: { carrier: carrier.name, ...call.facts, ...Object.fromEntries(facts) },
  }
}

/** Of an address with a user in it: the password is the token. */
function bearerOf(authorization: string): { readonly authorization?: string } {
  const pair = basic.exec(authorization)?.[1]
  if (pair === undefined) return authorization === '' ? {} : { authorization }
  const [, password = ''] = /:(.*)$/s.exec(Buffer.from(pair, 'base64').toString('utf8')) ?? []
  return { authorization: `Bearer ${password}` }
}

function tokenIn(parameters: CarrierCall['parameters']): string | undefined {
  const parts = Object.entries(parameters).flatMap(([name, value]) => {
    const number = tokenPart.exec(name)?.[1]
    return number === undefined ? [] : [{ number: Number(number || 1), value }]
  })
  if (parts.length === 0) return undefined
  return parts
    .toSorted((one, other) => one.number - other.number)
    .map(({ value }) => value)
    .join('')
}

/** Carriers that have no parameters of a call, or few, have an address. */
function ours(query: URLSearchParams): Readonly<Record<string, string>> {
  const names = ['voice', 'language', 'instructions', 'greet'] as const
  return Object.fromEntries(names.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])))
}

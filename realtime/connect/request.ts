import { ownModel } from '../../actors/conversation/ports.ts'
import type { SessionPath, Voices } from '../../actors/conversation/ports.ts'
import type { SessionGrant } from '../../actors/identity.ts'
import { ending } from '../close.ts'
import type { SessionEnding } from '../close.ts'
import type { Dialect, SessionKind } from '../session/session.ts'
import { readStreamSettings } from '../speech-stream/settings.ts'
import type { StreamSettings } from '../speech-stream/settings.ts'

/** What a client asks for by its upgrade request, copied before the first `await`. */
export interface UpgradeRequest {
  readonly path: string
  readonly query: string
  readonly authorization: string
  /** Where clients of Azure put their key. */
  readonly apiKey: string
  /** Of `Sec-WebSocket-Protocol`, as it came. */
  readonly protocols: string
  readonly origin: string
  readonly host: string
  /** The network address that it came from. */
  readonly from: string
  /** The model where neither the address nor a session secret names one; absent: somebody must. */
  readonly modelOtherwise?: string
  /** A header such as `OpenAI-Beta: realtime=v1`, whatever brand it carries. */
  readonly hasBetaHeader: boolean
}

export interface SessionRequest {
  /** Undefined when the client showed none. */
  readonly credential: string | undefined
  readonly dialect: Dialect
  /** Types of events that came after the version which the client was written for, and end it. */
  readonly withheld: ReadonlySet<string> | undefined
  /** The one subprotocol that is answered; empty when none was offered. Never one that carries a key. */
  readonly protocol: string
  readonly model: string | undefined
  /** What clients of Azure have in place of a model: a name that whoever runs the service chose. */
  readonly deployment: string | undefined
  readonly modelOtherwise: string | undefined
  readonly isTranscription: boolean
  readonly callId: string | undefined
  /** The session that it wants to go on with. */
  readonly resumes: string | undefined
}

const bearer = /^bearer +(\S+)$/i
const keyProtocol = /insecure-api-key\./
const betaProtocol = /beta\.realtime-v1$/
const ourProtocol = 'realtime'
const nameForm = /^[\w.:/@-]{1,128}$/
/** What clients write that have no key of their own and rely on a relay. */
const noKey: ReadonlySet<string> = new Set(['', 'null', 'undefined'])

/** Azure has its older form at an address of its own. */
const olderPath: SessionPath = '/openai/realtime'
/** Of Azure's; its own client of that time (`rt-client`) ends at any event that it does not know. */
const firstVersion = '2024-10-01-preview'
const laterTypes: ReadonlySet<string> = new Set([
  'conversation.created',
  'conversation.item.input_audio_transcription.delta',
])

export function readRequest(upgrade: UpgradeRequest): SessionRequest {
  const offered = upgrade.protocols.split(',').map((one) => one.trim())
  const query = new URLSearchParams(upgrade.query)
  return {
    credential: bearer.exec(upgrade.authorization)?.[1] ?? (upgrade.apiKey || keyIn(offered)),
    dialect: isOlder(upgrade, offered) ? 'beta' : 'ga',
    withheld: query.get('api-version') === firstVersion ? laterTypes : undefined,
    protocol: offered.includes(ourProtocol) ? ourProtocol : (offered.find((one) => !keyProtocol.test(one)) ?? ''),
    model: query.get('model') ?? undefined,
    deployment: query.get('deployment') ?? undefined,
    modelOtherwise: upgrade.modelOtherwise,
    isTranscription: query.get('intent') === 'transcription',
    callId: query.get('call_id') ?? undefined,
    resumes: query.get('resume') ?? undefined,
  }
}

function isOlder({ path, hasBetaHeader }: UpgradeRequest, offered: readonly string[]): boolean {
  return hasBetaHeader || path === olderPath || offered.some((one) => betaProtocol.test(one))
}

function keyIn(offered: readonly string[]): string | undefined {
  const entry = offered.find((one) => keyProtocol.test(one))
  const key = entry?.slice(entry.indexOf('api-key.') + 'api-key.'.length)
  return key === undefined || noKey.has(key) ? undefined : key
}

interface ChosenSession {
  readonly kind: SessionKind
  readonly model: string
}

/** Our own name, and every name that existing clients ask realtime models by. */
const realtimeName = /^(?:vaak\b|.*realtime)/
const otherModel = /^(?:gpt|o\d|whisper|tts|dall|text|omni)[\w.-]*$/

/** Which session it is to be; what a session secret lays down goes before what the address says. */
export function chooseSession(
  request: SessionRequest,
  options: { readonly grant?: SessionGrant | undefined; readonly alsoKnown: readonly string[] },
): ChosenSession | SessionEnding {
  const { grant } = options
  if (request.callId !== undefined)
    return ending('unsupported_parameter', 'There are no calls here to join: open a session with ?model= instead.')
  const isTranscription = request.isTranscription || grant?.kind === 'transcription'
  const model = (grant?.locked ? grant.model : undefined) ?? request.model ?? grant?.model ?? request.modelOtherwise
  if (isTranscription) return { kind: 'transcription', model: ownModel }
  if (model === undefined && request.deployment !== undefined) return deployed(request.deployment)
  if (model === undefined || model === '')
    return ending('missing_model', `You must provide a model parameter, such as ?model=${ownModel}.`)
  if (!nameForm.test(model)) return nameless
  if (realtimeName.test(model) || options.alsoKnown.includes(model)) return { kind: 'realtime', model }
  if (otherModel.test(model))
    return ending('invalid_model', `The model '${model}' is not one for realtime sessions; use ${ownModel}.`)
  return ending('model_not_found', `The model '${model}' does not exist here; use ${ownModel}.`)
}

/** A stream of speech begins as its address says. A session secret lays down what its session is, and that is not this. */
export function chooseSpeech(
  { query }: UpgradeRequest,
  grant: SessionGrant | undefined,
  voices: Pick<Voices, 'find' | 'list'>,
): (ChosenSession & { readonly speech: StreamSettings }) | SessionEnding {
  if (grant)
    return ending(
      'insufficient_scope',
      'A session secret (ek_…) opens sessions. A stream of speech needs a token or an API key.',
    )
  const speech = readStreamSettings(new URLSearchParams(query), voices)
  return 'closeCode' in speech ? speech : { kind: 'realtime', model: ownModel, speech }
}

const nameless = ending('model_not_found', 'The model has a name that no model has.')

function deployed(name: string): ChosenSession | SessionEnding {
  return nameForm.test(name) ? { kind: 'realtime', model: name } : nameless
}

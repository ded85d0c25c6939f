import type { Voices } from '../../actors/conversation/ports.ts'
import { ending } from '../close.ts'
import type { SessionEnding } from '../close.ts'
import type { WireAudioFormat } from '../session/settings/settings.ts'
import { oneOf, shortened } from '../wire/refusal.ts'

/** What a stream of speech is asked for by, in its address. */
export interface StreamSettings {
  /** Its id. */
  readonly voice: string
  readonly speed: number
  readonly format: WireAudioFormat
}

const formats: readonly WireAudioFormat[] = ['pcm16', 'g711_ulaw', 'g711_alaw']
const known: ReadonlySet<string> = new Set(['voice', 'speed', 'format'])
const [slowest, fastest] = [0.25, 4]

export function readStreamSettings(
  query: URLSearchParams,
  voices: Pick<Voices, 'find' | 'list'>,
): StreamSettings | SessionEnding {
  for (const name of query.keys())
    if (!known.has(name)) return wrong(`Unknown parameter: '${shortened(name)}'. ${oneOf(known)}`)
  const name = query.get('voice')
  if (name === null || name === '') return wrong(`Missing required parameter: 'voice'. ${voicesOf(voices)}`)
  const voice = voices.find(name)
  if (!voice) return wrong(`There is no voice '${shortened(name)}'. ${voicesOf(voices)}`)
  const format = formats.find((one) => one === (query.get('format') ?? 'pcm16'))
  if (!format) return wrong(`Invalid value for 'format'. ${oneOf(formats)}`)
  const speed = Number(query.get('speed') || '1')
  if (!(speed >= slowest && speed <= fastest))
    return wrong(`Invalid value for 'speed': expected a number from ${slowest} to ${fastest}.`)
  return { voice: voice.id, speed, format }
}

function voicesOf({ list }: Pick<Voices, 'list'>): string {
  return oneOf(list().map(({ id }) => id))
}

function wrong(message: string): SessionEnding {
  return ending('unsupported_parameter', message)
}

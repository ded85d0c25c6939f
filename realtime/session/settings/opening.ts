import type { Voices } from '../../../actors/conversation/ports.ts'
import { parseSettings } from '../../wire/client-events.ts'
import type { Refusal } from '../../wire/refusal.ts'
import { settingsPatch } from '../../wire/settings-patch.ts'
import { sessionWire } from '../../wire/write-session.ts'
import type { SessionLimits } from '../limits.ts'
import type { Dialect, SessionKind } from '../ports.ts'
import { defaultSettings, withPatch } from './settings.ts'
import type { Settings } from './settings.ts'
import { unknownChoice, unknownVoice } from './settings-rules.ts'

interface OpeningOptions {
  readonly kind: SessionKind
  /** Settings as a client wrote them, in either shape. */
  readonly defaults?: unknown
  readonly voices: Voices
  readonly limits: SessionLimits
}

/** The settings a session begins with. */
export function openingSettings(
  options: OpeningOptions,
): { readonly settings: Settings } | { readonly refusal: Refusal } {
  const voice = options.voices.find('alloy') ?? options.voices.list()[0]
  const plain = defaultSettings(voice?.id ?? '')
  const settings = options.kind === 'transcription' ? { ...plain, transcription: {} } : plain
  if (options.defaults === undefined || options.defaults === null) return { settings }
  const parsed = parseSettings(options.defaults, options.limits)
  if ('refusal' in parsed) return parsed
  const patch = settingsPatch(parsed.wire)
  if (patch.voice !== undefined && !options.voices.find(patch.voice))
    return { refusal: unknownVoice(patch.voice, options.voices, 'session') }
  const opened = withPatch(settings, patch)
  const refusal = unknownChoice(parsed.wire, opened.tools)
  return refusal ? { refusal } : { settings: opened }
}

/** What a session opened with these settings would show, for the answer to who asks for an ephemeral token. */
export function previewSession(
  options: OpeningOptions & {
    readonly dialect: Dialect
    readonly model: string
    readonly id: string
    readonly expiresAt: number
  },
): { readonly session: object } | { readonly refusal: Refusal } {
  const opened = openingSettings(options)
  if ('refusal' in opened) return opened
  return { session: sessionWire({ ...options, settings: opened.settings }, options.dialect) }
}
